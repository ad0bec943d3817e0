import type { ServiceCall, ServiceRecord, SkillComponent } from '../components.js';
import { ComputerError } from '../components.js';
import { fieldsOf } from '../remote/answers.js';
import { jsonBody, type ServiceClient, type ServiceRequest } from '../remote/service_client.js';
import type { ServiceFailure } from '../remote/service_failure.js';
import { neoMeaning } from './neo_requests.js';

const base = '/v1/skills';

/** The life cycle of skills at Shipyard Neo. */
export class NeoSkills implements SkillComponent {
  constructor(private readonly client: ServiceClient) {}

  createPayload({ fields, signal }: ServiceCall): Promise<ServiceRecord> {
    return this.post('/payloads', 'create a payload', { fields, signal });
  }

  payload(payloadRef: string, signal: AbortSignal): Promise<ServiceRecord> {
    return this.get(`/payloads/${encodeURIComponent(payloadRef)}`, { fields: {}, signal });
  }

  createCandidate({ fields, signal }: ServiceCall): Promise<ServiceRecord> {
    return this.post('/candidates', 'create a candidate', { fields, signal });
  }

  candidates(call: ServiceCall): Promise<ServiceRecord> {
    return this.get('/candidates', call);
  }

  evaluate(candidateId: string, call: ServiceCall): Promise<ServiceRecord> {
    return this.post(`${candidate(candidateId)}/evaluate`, 'record an evaluation', call);
  }

  promote(candidateId: string, call: ServiceCall): Promise<ServiceRecord> {
    return this.post(`${candidate(candidateId)}/promote`, 'release the candidate', call);
  }

  releases(call: ServiceCall): Promise<ServiceRecord> {
    return this.get('/releases', call);
  }

  rollback(releaseId: string, signal: AbortSignal): Promise<ServiceRecord> {
    const path = `/releases/${encodeURIComponent(releaseId)}/rollback`;
    return this.post(path, 'roll the release back', { fields: {}, signal });
  }

  private async get(path: string, { fields, signal }: ServiceCall): Promise<ServiceRecord> {
    return this.ask({ method: 'GET', path, query: fields, signal }, 'answer about skills');
  }

  private post(
    path: string,
    doing: string,
    { fields, signal }: ServiceCall,
  ): Promise<ServiceRecord> {
    return this.ask({ method: 'POST', path, body: jsonBody(fields), signal }, doing);
  }

  private async ask(
    request: Pick<ServiceRequest, 'method' | 'path' | 'query' | 'body' | 'signal'>,
    doing: string,
  ): Promise<ServiceRecord> {
    const answer = await this.client.json({
      ...request,
      path: base + request.path,
      repeatable: request.method === 'GET',
      meaning: skillMeaning(doing),
    });
    return fieldsOf(answer);
  }
}

const candidate = (id: string): string => `/candidates/${encodeURIComponent(id)}`;

/** A skill's record that is not there says nothing about the sandbox. */
const skillMeaning =
  (doing: string) =>
  (failure: ServiceFailure): ComputerError => {
    if (failure.status === 404) {
      const message = `There is no such record at Shipyard Neo (${failure.message}). List the candidates or releases to see what is there.`;
      return new ComputerError('not_found', message);
    }
    return neoMeaning({ doing })(failure);
  };
