import { ADMIN_PASSWORD, type TestApp } from './app.js';
import type { Json } from './json.js';

export type { Json };

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON body; null when it is no JSON. */
  body: Json;
  /** `body.data`. */
  data: Json;
  text: string;
}

/** A caller with a token: sends JSON, reads JSON, throws nothing for a refused request. */
export class TestClient {
  constructor(
    readonly url: string,
    readonly token: string | null = null,
  ) {}

  get = (path: string) => this.send('GET', path);
  post = (path: string, body: unknown = {}) => this.send('POST', path, body);
  delete = (path: string) => this.send('DELETE', path);

  /** The answer's data; fails the test with the server's sentence when it was refused. */
  async ask(path: string, body: unknown = {}): Promise<Json> {
    const answer = await this.post(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.data;
  }

  /** A body that is text is sent as it is. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: this.headers(body !== undefined),
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = parse(text);
    return {
      status: response.status,
      headers: response.headers,
      body: parsed,
      data: parsed?.data,
      text,
    };
  }

  private headers(hasBody: boolean): Record<string, string> {
    return {
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
    };
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Signs in; as the first user unless told otherwise. */
export async function signIn(
  app: Pick<TestApp, 'url'>,
  username = 'admin',
  password = ADMIN_PASSWORD,
): Promise<TestClient> {
  const answer = await new TestClient(app.url).post('/admin/base/open/login', {
    username,
    password,
  });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.text}`);
  return new TestClient(app.url, answer.data.token);
}
