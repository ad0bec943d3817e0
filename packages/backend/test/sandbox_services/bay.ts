import type { Json } from '../json.js';
import { StandIn, type SeenRequest, type StandInAnswer } from './stand_in.js';
import { StandInWorkspace, type Ran } from './workspace.js';

export const BAY_KEY = 'sk-bay-stand-in-0001';

interface Box {
  id: string;
  profile: string;
  status: string;
  expiresAt: number | null;
  workspace: StandInWorkspace;
  history: Json[];
}

export const WITH_BROWSER = ['filesystem', 'shell', 'python', 'browser'];
export const WITHOUT_BROWSER = ['filesystem', 'shell', 'python'];

/** An error with code and message: `[code, message]`. */
const failure = (
  status: number,
  [code, message]: readonly [string, string],
  details?: object,
): StandInAnswer => ({
  status,
  body: { error: { code, message, request_id: 'req-1', ...(details ? { details } : {}) } },
});

/** Shipyard Neo ("Bay"), from its wire facts. */
export class BayStandIn extends StandIn {
  readonly boxes = new Map<string, Box>();
  profiles: Record<string, string[]> = { 'python-default': WITHOUT_BROWSER, browser: WITH_BROWSER };
  /** The status that a new sandbox has, and for how many looks it is `starting`. */
  startingLooks = 0;
  newStatus = 'ready';
  readonly skills = { payloads: [] as Json[], candidates: [] as Json[], releases: [] as Json[] };
  private readonly byKey = new Map<string, StandInAnswer>();
  private made = 0;

  /** The newest sandbox. */
  get last(): Box {
    const box = [...this.boxes.values()].at(-1);
    if (!box) throw new Error('the stand-in has no sandbox');
    return box;
  }

  /** Ends a sandbox's time. */
  expire(id: string): void {
    const box = this.boxes.get(id);
    if (box) box.status = 'expired';
  }

  override async close(): Promise<void> {
    await super.close();
    await Promise.all([...this.boxes.values()].map(({ workspace }) => workspace.remove()));
  }

  protected async answer(request: SeenRequest): Promise<StandInAnswer> {
    const { method, path, headers } = request;
    if (path === '/health') return { status: 200, body: { status: 'ok', version: '0.9.1' } };
    if (headers.authorization !== `Bearer ${BAY_KEY}`)
      return failure(401, ['unauthorized', 'wrong key']);
    if (path === '/v1/profiles') return { status: 200, body: { items: this.profileList() } };
    if (path === '/v1/sandboxes' && method === 'POST') return this.once(request);
    if (path.startsWith('/v1/skills/')) return this.skill(request, path.slice('/v1/skills'.length));
    const [, id = '', action = ''] = /^\/v1\/sandboxes\/([^/]+)(.*)$/.exec(path) ?? [];
    const box = this.boxes.get(id);
    if (!box) return failure(404, ['not_found', `Sandbox not found: ${id}`]);
    return this.onBox(box, action, request);
  }

  private profileList() {
    return Object.entries(this.profiles).map(([id, capabilities]) => ({
      id,
      image: 'ship:latest',
      resources: {},
      capabilities,
      idle_timeout: 1800,
    }));
  }

  private async once(request: SeenRequest): Promise<StandInAnswer> {
    const key = String(request.headers['idempotency-key'] ?? '');
    const known = this.byKey.get(key);
    if (known && key) return known;
    const { profile, ttl } = request.body;
    if (!(profile in this.profiles))
      return failure(404, ['not_found', `profile not found: ${profile}`]);
    const box: Box = {
      id: `sandbox-${++this.made}`,
      profile,
      status: this.startingLooks > 0 ? 'starting' : this.newStatus,
      expiresAt: ttl ? Date.now() + ttl * 1000 : null,
      workspace: await StandInWorkspace.make(),
      history: [],
    };
    this.boxes.set(box.id, box);
    const answer = { status: 201, body: this.view(box) };
    this.byKey.set(key, answer);
    return answer;
  }

  private view({ id, profile, status, expiresAt }: Box) {
    return {
      id,
      status,
      profile,
      cargo_id: `cargo-${id}`,
      capabilities: this.profiles[profile],
      created_at: new Date().toISOString(),
      expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    };
  }

  private async onBox(box: Box, action: string, request: SeenRequest): Promise<StandInAnswer> {
    const { method, body } = request;
    if (action === '' && method === 'DELETE') {
      this.boxes.delete(box.id);
      await box.workspace.remove();
      return { status: 204 };
    }
    if (action === '') {
      if (box.status === 'starting' && --this.startingLooks <= 0) box.status = this.newStatus;
      return { status: 200, body: this.view(box) };
    }
    if (action === '/stop') {
      box.status = 'idle';
      return { status: 200, body: { status: 'stopped' } };
    }
    if (box.status === 'expired') return failure(409, ['sandbox_expired', `${box.id} has expired`]);
    if (action === '/extend_ttl') {
      if (box.expiresAt === null) return failure(409, ['sandbox_ttl_infinite', 'no end']);
      box.expiresAt += body.extend_by * 1000;
      return { status: 200, body: this.view(box) };
    }
    box.status = 'ready';
    if (action.startsWith('/filesystem/')) return this.files(box, action, request);
    if (action.startsWith('/history')) return this.history(box, action, request);
    if (action.startsWith('/browser/')) return this.browser(box, action, request);
    return this.execute(box, action, body);
  }

  private async execute(
    { workspace, history }: Box,
    action: string,
    body: Json,
  ): Promise<StandInAnswer> {
    if (!Number.isInteger(body.timeout) || body.timeout < 1 || body.timeout > 300) {
      const detail = [{ loc: ['body', 'timeout'], msg: 'must be from 1 to 300', type: 'value' }];
      return { status: 422, body: { detail } };
    }
    const ids = { execution_id: `exec-${history.length + 1}`, execution_time_ms: 5 };
    history.push({
      id: ids.execution_id,
      exec_type: action.slice(1, 6),
      code: body.code ?? body.command,
    });
    if (action === '/shell/exec') {
      const ran = await workspace.shell(body.command, body.timeout);
      if (ran.timedOut) return failure(504, ['timeout', 'execution timed out']);
      return { status: 200, body: { ...shellAnswer(ran), ...ids } };
    }
    const ran = await workspace.python(body.code, body.timeout);
    if (ran.timedOut) return failure(504, ['timeout', 'execution timed out']);
    const output = { text: ran.stdout, images: [] };
    return {
      status: 200,
      body: {
        success: ran.code === 0,
        output: ran.stdout,
        error: ran.stderr || null,
        data: { execution_count: history.length, output },
        ...ids,
      },
    };
  }

  private async files(
    { workspace }: Box,
    action: string,
    { method, query, body }: SeenRequest,
  ): Promise<StandInAnswer> {
    const path = query.get('path') ?? body?.path ?? '';
    if (path.startsWith('/')) return failure(400, ['invalid_path', 'path must be relative']);
    try {
      if (action.endsWith('/upload')) await workspace.write(path, body.file);
      else if (method === 'PUT') await workspace.write(path, body.content);
      else if (method === 'DELETE') await workspace.delete(path);
      else if (action.endsWith('/directories')) {
        const entries = await workspace.list(path);
        return {
          status: 200,
          body: {
            entries: entries.map(({ isFile, ...rest }) => ({
              ...rest,
              is_file: isFile,
              is_dir: !isFile,
            })),
          },
        };
      } else return { status: 200, bytes: await workspace.read(path) };
      return { status: 200, body: { success: true } };
    } catch {
      return action.endsWith('/download')
        ? failure(404, ['file_not_found', `File not found: ${path}`])
        : failure(502, ['ship_error', 'Ship request failed: 404']);
    }
  }

  private history({ history }: Box, action: string, { method, body }: SeenRequest): StandInAnswer {
    if (method === 'PATCH') {
      const entry = history.find(({ id }) => action.endsWith(`/${id}`));
      if (!entry) return failure(404, ['not_found', 'Execution not found']);
      return { status: 200, body: Object.assign(entry, body) };
    }
    return { status: 200, body: { entries: history, total: history.length } };
  }

  private browser({ profile }: Box, action: string, { body }: SeenRequest): StandInAnswer {
    const available = this.profiles[profile] ?? [];
    if (!available.includes('browser')) {
      const details = { capability: 'browser', available };
      return failure(400, ['capability_not_supported', 'browser is not supported'], details);
    }
    if (action !== '/browser/exec_batch')
      return {
        status: 200,
        body: { success: true, output: `did ${body.cmd ?? action}`, exit_code: 0 },
      };
    const results = body.commands.map((cmd: string, index: number) => ({
      cmd,
      stdout: `did ${cmd}`,
      stderr: '',
      exit_code: 0,
      step_index: index,
      duration_ms: 1,
    }));
    const count = results.length;
    return {
      status: 200,
      body: { results, total_steps: count, completed_steps: count, success: true },
    };
  }

  private skill({ method, body, query }: SeenRequest, path: string): StandInAnswer {
    const { payloads, candidates, releases } = this.skills;
    const [, kind, id, verb] = path.split('/');
    if (kind === 'payloads' && method === 'POST') {
      payloads.push({ payload_ref: `payload-${payloads.length + 1}`, ...body });
      return { status: 201, body: payloads.at(-1) };
    }
    if (kind === 'payloads') return found(payloads.find(({ payload_ref: ref }) => ref === id));
    if (kind === 'candidates' && verb === undefined) {
      if (method === 'GET')
        return { status: 200, body: { items: candidates, total: candidates.length } };
      candidates.push({ id: `cand-${candidates.length + 1}`, status: 'draft', ...body });
      return { status: 201, body: candidates.at(-1) };
    }
    if (kind === 'candidates')
      return this.onCandidate(
        candidates.find((each) => each.id === id),
        verb,
        body,
      );
    if (method === 'GET') {
      const stage = query.get('stage');
      const active = query.get('active_only') === 'true';
      const items = releases.filter(
        (each) => (!stage || each.stage === stage) && (!active || each.is_active),
      );
      return { status: 200, body: { items, total: items.length } };
    }
    return this.rollBack(releases.find((each) => each.id === id));
  }

  private onCandidate(candidate: Json, verb: string | undefined, body: Json): StandInAnswer {
    if (!candidate) return failure(404, ['not_found', 'Candidate not found']);
    if (verb === 'evaluate') {
      Object.assign(candidate, { latest_pass: body.passed, latest_score: body.score ?? null });
      return { status: 200, body: { candidate_id: candidate.id, passed: body.passed } };
    }
    if (candidate.latest_pass !== true) return failure(409, ['conflict', 'no passing evaluation']);
    const { releases } = this.skills;
    const same = releases.filter((each) => each.skill_key === candidate.skill_key);
    for (const each of same) each.is_active = false;
    releases.push({
      id: `rel-${releases.length + 1}`,
      skill_key: candidate.skill_key,
      candidate_id: candidate.id,
      version: same.length + 1,
      stage: body.stage,
      is_active: true,
    });
    return { status: 200, body: releases.at(-1) };
  }

  private rollBack(release: Json): StandInAnswer {
    if (!release) return failure(404, ['not_found', 'Release not found']);
    const { releases } = this.skills;
    const before = releases
      .slice(0, releases.indexOf(release))
      .findLast((each) => each.skill_key === release.skill_key);
    release.is_active = false;
    if (!before) return failure(409, ['conflict', 'no earlier release']);
    before.is_active = true;
    return { status: 200, body: before };
  }
}

const found = (item: Json): StandInAnswer =>
  item ? { status: 200, body: item } : failure(404, ['not_found', 'Payload not found']);

const shellAnswer = ({ code, stdout, stderr }: Ran) => ({
  success: code === 0,
  output: stdout,
  error: stderr || null,
  exit_code: code,
});
