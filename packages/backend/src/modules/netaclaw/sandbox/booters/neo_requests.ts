import type { ComputerError } from '../components.js';
import { meaningOf, type Subject } from '../remote/meanings.js';
import type { ServiceFailure } from '../remote/service_failure.js';

const meanings = {
  name: 'Shipyard Neo',
  keySetting: 'BAY_API_KEY',
  goneCodes: ['sandbox_expired'],
};

/** How Shipyard Neo's errors are meant when something was being done. */
export const neoMeaning =
  (subject: Subject) =>
  (failure: ServiceFailure): ComputerError =>
    meaningOf(failure, meanings, subject);
