import { timeText } from '../../components/format.js';
import { statusWord, type Wording } from '../../components/readable.js';

type Translate = (key: string) => string;

/** How the fields of a user read, for people. */
export function userWording(t: Translate): Wording {
  return (key, value) => {
    if (key === 'status') return statusWord(value, t);
    return key === 'role' ? t(`role.${String(value)}`) : undefined;
  };
}

/** How the fields of an API key read, for people. */
export function apiKeyWording(t: Translate): Wording {
  return (key, value) => {
    if (key === 'status') return statusWord(value, t);
    if (key === 'agents') return value === null ? t('apiKeys.scope.all') : undefined;
    if (key === 'rateLimit') return value === null ? t('apiKeys.default') : undefined;
    if (key !== 'expiresAt') return undefined;
    return typeof value === 'string' ? timeText(value) : t('apiKeys.never');
  };
}
