import type {
  BrowserComponent,
  HistoryComponent,
  ServiceCall,
  ServiceRecord,
} from '../components.js';
import { fieldsOf } from '../remote/answers.js';
import { jsonBody, type ServiceClient } from '../remote/service_client.js';
import { neoMeaning } from './neo_requests.js';

const ALLOWANCE_MS = 60_000;
const DEFAULT_SECONDS = 60;

const pathOf = (id: string): string => `/v1/sandboxes/${encodeURIComponent(id)}`;

/** The browser of one sandbox of Shipyard Neo. */
export class NeoBrowser implements BrowserComponent {
  constructor(
    private readonly client: ServiceClient,
    private readonly id: string,
  ) {}

  exec(call: ServiceCall): Promise<ServiceRecord> {
    return this.post('/browser/exec', call);
  }

  batch(call: ServiceCall): Promise<ServiceRecord> {
    return this.post('/browser/exec_batch', call);
  }

  runSkill(skillKey: string, call: ServiceCall): Promise<ServiceRecord> {
    return this.post(`/browser/skills/${encodeURIComponent(skillKey)}/run`, call);
  }

  private async post(path: string, { fields, signal }: ServiceCall): Promise<ServiceRecord> {
    const { timeout } = fields;
    const seconds = typeof timeout === 'number' ? timeout : DEFAULT_SECONDS;
    const answer = await this.client.json({
      method: 'POST',
      path: pathOf(this.id) + path,
      body: jsonBody(fields),
      repeatable: false,
      signal,
      timeoutMs: seconds * 1000 + ALLOWANCE_MS,
      meaning: neoMeaning({ doing: 'use a browser' }),
    });
    return fieldsOf(answer);
  }
}

/** What was executed in one sandbox of Shipyard Neo. */
export class NeoHistory implements HistoryComponent {
  constructor(
    private readonly client: ServiceClient,
    private readonly id: string,
  ) {}

  async list({ fields, signal }: ServiceCall): Promise<ServiceRecord> {
    const answer = await this.client.json({
      method: 'GET',
      path: `${pathOf(this.id)}/history`,
      query: fields,
      repeatable: true,
      signal,
      meaning: neoMeaning({ doing: 'list its history' }),
    });
    return fieldsOf(answer);
  }

  async annotate(executionId: string, { fields, signal }: ServiceCall): Promise<ServiceRecord> {
    const answer = await this.client.json({
      method: 'PATCH',
      path: `${pathOf(this.id)}/history/${encodeURIComponent(executionId)}`,
      body: jsonBody(fields),
      repeatable: false,
      signal,
      meaning: neoMeaning({ path: executionId, doing: 'annotate an execution' }),
    });
    return fieldsOf(answer);
  }
}
