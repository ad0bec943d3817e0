import { translate } from '../i18n/index.js';

/** Asks before something that cannot be taken back; false when the person thinks better of it. */
export async function confirm(message: string, action: string): Promise<boolean> {
  try {
    await ElMessageBox.confirm(message, translate('common.confirm'), {
      type: 'warning',
      confirmButtonText: action,
      cancelButtonText: translate('common.cancel'),
    });
    return true;
  } catch {
    return false;
  }
}
