/** Stands for a secret in answers; sent back, it leaves what is stored as it is. */
export const SECRET_MASK = '********';

/** A parameter's beginning, up to its value, and the value. */
const PARAMETER = /([?&][^=&#]+=)([^&#]*)/g;
/** By their names: `api-version` and the like are for people to read. */
const SECRET_NAME = /key|token|secret|sig|pass|auth|credential/i;

/** An address as people see it: the values of secret parameters are masked. */
export const maskedUrl = (url: string): string =>
  url.replaceAll(PARAMETER, (whole, name: string, value: string) =>
    SECRET_NAME.test(name) && value !== '' ? `${name}${SECRET_MASK}` : whole,
  );

/** Whether people see less of an address than there is. */
export const hasSecretIn = (url: string): boolean => maskedUrl(url) !== url;

/** An address that was given back, with the values that are stored in the place of their masks. */
export function unmaskedUrl(given: string, stored: string): string {
  const values = new Map(
    [...stored.matchAll(PARAMETER)].map(([, name, value]) => [plain(name), value]),
  );
  return given.replaceAll(PARAMETER, (whole, name: string, value: string) =>
    value === SECRET_MASK ? `${name}${values.get(plain(name)) ?? value}` : whole,
  );
}

/** A parameter may come first or later. */
const plain = (name = ''): string => name.slice(1);
