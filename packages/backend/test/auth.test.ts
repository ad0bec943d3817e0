import { request } from 'node:http';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PasswordGuard } from '../src/modules/base/auth/password_guard.js';
import { Secrets } from '../src/modules/base/auth/secrets.js';
import { AccessTokens } from '../src/modules/base/auth/tokens.js';
import { Users } from '../src/modules/base/auth/users.js';
import { Database } from '../src/modules/base/data/database.js';
import { BaseSignInEntity } from '../src/modules/base/entity/sign_in.js';
import { ADMIN_PASSWORD, bootApp, type TestApp } from './app.js';
import { signIn, TestClient, type Json } from './client.js';
import { addPerson, PASSWORD } from './people.js';

const LOGIN = '/admin/base/open/login';
const REFRESH = '/admin/base/open/refreshToken';
const PERSON = '/admin/base/comm/person';

let app: TestApp;
let nobody: TestClient;
let admin: TestClient;
let database: Database;

beforeAll(async () => {
  app = await bootApp();
  nobody = new TestClient(app.url);
  admin = await signIn(app);
  database = await app.get(Database);
});
afterAll(async () => {
  await app?.stop();
  await app?.remove();
});

const login = async (): Promise<Json> =>
  nobody.ask(LOGIN, { username: 'admin', password: ADMIN_PASSWORD });
const personOf = (token: string) => new TestClient(app.url, token).get(PERSON);
const refresh = (refreshToken: string) => nobody.post(REFRESH, { refreshToken });
const claimsOf = (token: string): jwt.JwtPayload => {
  const claims = jwt.decode(token);
  if (typeof claims !== 'object' || !claims) throw new Error('no claims');
  return claims;
};

describe('signing in', () => {
  it('answers tokens and says how long they last', async () => {
    const tokens = await login();
    expect(tokens).toEqual({
      token: expect.any(String),
      expire: 1800,
      refreshToken: expect.stringMatching(/^[0-9a-f-]{36}\.[\w-]{43}$/),
      refreshExpire: 1_209_600,
    });
    expect((await personOf(tokens.token)).data).toEqual({
      id: 1,
      username: 'admin',
      role: 'admin',
    });
  });

  it('puts no right into the token: it names a user and a sign-in', async () => {
    const { token } = await login();
    expect(Object.keys(claimsOf(token)).toSorted()).toEqual(['exp', 'fam', 'iat', 'sub']);
  });

  it('answers a wrong name and a wrong password alike', async () => {
    const wrong = await nobody.post(LOGIN, { username: 'admin', password: 'wrong' });
    const unknown = await nobody.post(LOGIN, { username: 'nobody', password: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({ code: 1101, message: 'wrong name or password' });
    expect(unknown.body).toEqual(wrong.body);
    expect(unknown.status).toBe(401);
  });

  it('stores refresh tokens hashed', async () => {
    const { refreshToken } = await login();
    const rows = await database.repository(BaseSignInEntity).find();
    const [familyId, secret] = refreshToken.split('.');
    expect(rows.map((row) => row.familyId)).toContain(familyId);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('clears away sign-ins of the user that ran out', async () => {
    const { refreshToken } = await login();
    const [familyId] = refreshToken.split('.');
    await expire(familyId);
    await login();
    expect(await database.repository(BaseSignInEntity).existsBy({ familyId })).toBe(false);
  });
});

const expire = (familyId: string) =>
  database.writeOne((manager) =>
    manager.update(BaseSignInEntity, { familyId }, { expiresAt: new Date(Date.now() - 1) }),
  );

describe('a token', () => {
  it.each([
    ['none', null, 'sign in first, and send the token as Authorization: Bearer'],
    ['garbage', 'garbage', 'the access token is not valid'],
    ['two dots', 'a.b.c', 'the access token is not valid'],
    ['an unknown API key', 'nc_unknown', 'this API key does not exist'],
  ])('that is worth nothing is refused with the reason: %s', async (_, token, message) => {
    const answer = await new TestClient(app.url, token).get(PERSON);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ code: 1101, message });
  });

  it('in another scheme is refused', async () => {
    const response = await fetch(app.url + PERSON, { headers: { authorization: 'Basic YTpi' } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      message: 'the header must read Authorization: Bearer <token>',
    });
  });

  it('that has expired is refused', async () => {
    const { token } = await login();
    const { sub = '', fam } = claimsOf(token);
    const { signingKey } = await app.get(Secrets);
    const expired = jwt.sign({ fam }, signingKey, { subject: sub, expiresIn: -1 });
    const answer = await personOf(expired);
    expect(answer.status).toBe(401);
    expect(answer.body.message).toBe('the access token has expired');
  });

  it.each([
    [
      'signed with another key',
      (claims: object) => jwt.sign(claims, 'another key that is long enough'),
    ],
    ['signed with nothing', (claims: object) => jwt.sign(claims, '', { algorithm: 'none' })],
    ['changed after it was signed', (_: object, token: string) => changeClaims(token)],
  ])('%s is refused', async (_, forge) => {
    const { token } = await login();
    const answer = await personOf(forge(claimsOf(token), token));
    expect(answer.status).toBe(401);
    expect(answer.body.message).toBe('the access token is not valid');
  });

  it('signed by another algorithm with the right key, without an end, or without a family is refused', async () => {
    const { fam, sub = '' } = claimsOf((await login()).token);
    const { signingKey } = await app.get(Secrets);
    const forged = [
      jwt.sign({ fam }, signingKey, { subject: sub, algorithm: 'HS512', expiresIn: 60 }),
      jwt.sign({ fam }, signingKey, { subject: sub }),
      jwt.sign({}, signingKey, { subject: sub, expiresIn: 60 }),
      jwt.sign({ fam }, signingKey, { subject: 'x', expiresIn: 60 }),
    ];
    const answers = await Promise.all(forged.map(personOf));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it('for a family of somebody else is refused', async () => {
    const { fam } = claimsOf((await login()).token);
    const tokens = await app.get(AccessTokens);
    expect((await personOf(tokens.sign({ userId: 999, familyId: fam }))).status).toBe(401);
  });

  it('of a sign-in that ran out is refused', async () => {
    const { token } = await login();
    await expire(claimsOf(token).fam);
    const answer = await personOf(token);
    expect([answer.status, answer.body.message]).toEqual([
      401,
      'this sign-in has expired; sign in again',
    ]);
  });
});

function changeClaims(token: string): string {
  const [head, claims = '', signature] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: '2' };
  return [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}

describe('a refresh token', () => {
  it('is spent for new tokens, and the end slides', async () => {
    const first = await login();
    const second = (await refresh(first.refreshToken)).data;
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((await personOf(second.token)).status).toBe(200);
    expect((await refresh(second.refreshToken)).status).toBe(200);
  });

  it('that was used before ends its whole family, and the audit says so', async () => {
    const first = await login();
    const second = (await refresh(first.refreshToken)).data;
    const reused = await refresh(first.refreshToken);
    expect([reused.status, reused.body.message]).toEqual([
      401,
      'this refresh token was used before: the sign-in has ended; sign in again',
    ]);
    expect((await personOf(first.token)).body.message).toBe(
      'this sign-in has ended; sign in again',
    );
    expect((await personOf(second.token)).status).toBe(401);
    expect((await refresh(second.refreshToken)).status).toBe(401);
    const { list } = await admin.ask('/admin/netaclaw/audit/page', { action: 'user.logout' });
    expect(list[0]).toMatchObject({
      target: 'user:admin',
      after: { why: 'a refresh token was used twice' },
    });
  });

  it('used twice at once wins once, and its family ends', async () => {
    const { refreshToken } = await login();
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const won = answers.find(({ status }) => status === 200);
    expect((await personOf(won?.data.token)).status).toBe(401);
  });

  it('that ran out, names no family or is none is refused', async () => {
    const { refreshToken } = await login();
    await expire(refreshToken.split('.')[0]);
    const unknown = `00000000-0000-7000-8000-000000000000.${'a'.repeat(43)}`;
    const answers = await Promise.all([refreshToken, unknown, 'garbage'].map(refresh));
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [401, 'the refresh token has expired'],
      [401, 'this sign-in has ended; sign in again'],
      [401, 'this is not a refresh token'],
    ]);
  });

  it('is no access token, and the other way round', async () => {
    const tokens = await login();
    expect((await personOf(tokens.refreshToken)).status).toBe(401);
    expect((await refresh(tokens.token)).status).toBe(401);
  });
});

describe('signing out', () => {
  it('ends this sign-in at once and leaves others alone', async () => {
    const [one, other] = [await login(), await login()];
    expect((await new TestClient(app.url, one.token).post('/admin/base/comm/logout')).status).toBe(
      200,
    );
    expect((await personOf(one.token)).status).toBe(401);
    expect((await refresh(one.refreshToken)).status).toBe(401);
    expect((await personOf(other.token)).status).toBe(200);
  });
});

describe('changing your own password', () => {
  const CHANGE = '/admin/base/comm/password';

  it('ends every other sign-in and answers new tokens', async () => {
    const { client } = await addPerson(app, admin, { username: 'changer', role: 'viewer' });
    const other = await signIn(app, 'changer', PASSWORD);
    const newPassword = 'another long password';
    const tokens = await client.ask(CHANGE, { password: PASSWORD, newPassword });
    expect((await other.get(PERSON)).status).toBe(401);
    expect((await personOf(tokens.token)).status).toBe(200);
    expect((await refresh(tokens.refreshToken)).status).toBe(200);
    const old = await nobody.post(LOGIN, { username: 'changer', password: PASSWORD });
    expect(old.status).toBe(401);
    await signIn(app, 'changer', newPassword);
  });

  it('needs the current one, and a new one of at least 12 characters', async () => {
    const wrong = await admin.post(CHANGE, { password: 'wrong', newPassword: 'x'.repeat(12) });
    expect([wrong.status, wrong.body.details]).toEqual([
      400,
      [{ path: 'password', message: 'this is not your current password' }],
    ]);
    const short = await admin.post(CHANGE, { password: ADMIN_PASSWORD, newPassword: 'short' });
    expect([short.status, short.body.details]).toEqual([
      400,
      [{ path: 'newPassword', message: 'at least 12 characters' }],
    ]);
  });
});

describe('the first user', () => {
  it('is made once, whoever starts at the same time', async () => {
    const users = await app.get(Users);
    const made = await Promise.all([users.ensureFirstUser(), users.ensureFirstUser()]);
    expect(made).toEqual([{ generatedPassword: null }, { generatedPassword: null }]);
  });
});

const guess = (password: string) => nobody.post(LOGIN, { username: 'admin', password });

describe('guessing', () => {
  beforeEach(async () => {
    const guard = await app.get(PasswordGuard);
    Object.assign(guard, new PasswordGuard());
  });

  it('is held back after ten wrong passwords a minute, even with the right one', async () => {
    for (let times = 0; times < 10; times++) expect((await guess('wrong')).status).toBe(401);
    const answer = await guess(ADMIN_PASSWORD);
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ code: 1129, details: { retryAfter: expect.any(Number) } });
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  });
});

describe('a bad request', () => {
  it('with an unknown field is told which', async () => {
    const answer = await nobody.post(LOGIN, { username: 'a', password: 'b', role: 'admin' });
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([
      400,
      1002,
      [{ path: 'role', message: 'this field is not known here' }],
    ]);
  });

  it.each([
    '{"username":"a","password":"b","__proto__":{"role":"admin"}}',
    '{"\\u005f_proto__":1}',
    '{"constructor":1}',
  ])('with a key that reaches a prototype is refused: %s', async (body) => {
    const answer = await nobody.post(LOGIN, body);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringContaining('this key is not allowed'),
    ]);
  });

  it('with two megabytes is too large', async () => {
    const answer = await nobody.post(LOGIN, {
      username: 'x'.repeat(2 * 1024 * 1024),
      password: 'b',
    });
    expect([answer.status, answer.body.code]).toEqual([413, 1113]);
  });

  it.each([
    ['text', 'text/plain', '{"username":"a","password":"b"}'],
    ['a form', 'application/x-www-form-urlencoded', 'username=a&password=b'],
    ['broken JSON', 'application/json', '{"username":'],
  ])('with %s as body is refused', async (_, contentType, body) => {
    const headers = { 'content-type': contentType };
    const response = await fetch(app.url + LOGIN, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 1002 });
  });

  it('with a wrong type or nothing at all is told where', async () => {
    const answer = await nobody.post(LOGIN, { username: 7 });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map(({ path }: Json) => path)).toEqual(['username', 'password']);
    expect((await nobody.send('POST', LOGIN)).status).toBe(400);
  });

  it('that hangs up in the middle of its body harms nobody', async () => {
    await new Promise<void>((resolve) => {
      const outgoing = request(app.url + LOGIN, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': '100' },
      });
      outgoing.on('error', () => resolve());
      outgoing.write('{"username":');
      setTimeout(() => outgoing.destroy(new Error('gone')), 20);
    });
    expect((await nobody.get('/health/live')).status).toBe(200);
  });
});
