import type { ToolInfo } from '@netaclaw/contracts';
import { h } from 'vue';
import { translate } from '../../i18n/index.js';

/** Shows which agents lose a tool before it is turned off; false when the person thinks better of it. */
export async function confirmSwitchOff({ name, usedBy, usedByCount }: ToolInfo): Promise<boolean> {
  const rows = usedBy.map((agent) => h('li', `${agent.label || agent.name} (${agent.name})`));
  const count = usedByCount - rows.length;
  if (count > 0) rows.push(h('li', translate('common.more', { count })));
  const text =
    usedByCount === 0
      ? translate('tool.affectsNone')
      : translate('tool.affects', { count: usedByCount });
  try {
    await ElMessageBox({
      title: translate('tool.switchOffTitle', { name }),
      message: () => h('div', [h('p', text), h('ul', { class: 'affected-agents' }, rows)]),
      showCancelButton: true,
      confirmButtonText: translate('tool.switchOff'),
      cancelButtonText: translate('common.cancel'),
      type: 'warning',
    });
    return true;
  } catch {
    return false;
  }
}
