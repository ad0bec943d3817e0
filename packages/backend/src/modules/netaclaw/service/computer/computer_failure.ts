import { DomainError } from '../../../base/error.js';
import { ComputerError } from '../../sandbox/components.js';

/** Does something at a service of sandboxes for an operator; what it refuses becomes an answer with its sentence. */
export async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ComputerError)) throw error;
    throw new DomainError(kindOf(error), error.message);
  }
}

function kindOf({ code }: ComputerError): 'notFound' | 'conflict' | 'notReady' {
  if (code === 'not_found' || code === 'gone') return 'notFound';
  return code === 'failed' || code === 'unsupported' ? 'conflict' : 'notReady';
}
