import type { ToolChoice } from '@netaclaw/contracts';
import { mount } from '@vue/test-utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { i18n, useLocale } from '../../../i18n/index.js';
import { toolColumnsOf, withTool } from '../tool-choice.js';
import ToolPicker from './tool-picker.vue';

const choice = (name: string, more: Partial<ToolChoice> = {}): ToolChoice => ({
  name,
  label: name,
  description: '',
  capability: 'text',
  visibility: 'tool',
  isCore: false,
  canDisable: true,
  status: 1,
  source: 'builtin',
  ...more,
});
const todo = choice('todo', { isCore: true, canDisable: false });
const offer = {
  defaults: ['base' as const],
  toolsets: [
    { name: 'base' as const, label: 'base', tools: [choice('bash'), choice('patch')] },
    { name: 'planning' as const, label: 'planning', tools: [todo] },
  ],
};
const names = (tools: readonly ToolChoice[]) => tools.map(({ name }) => name);

describe('toolColumnsOf', () => {
  it('takes the default toolsets when none are chosen', () => {
    const { available, disabled } = toolColumnsOf(offer, null, ['bash']);
    expect([names(available), names(disabled)]).toEqual([['patch'], ['bash']]);
  });

  it('has no tools for no toolsets', () => {
    expect(toolColumnsOf(offer, [], ['bash'])).toEqual({ available: [], disabled: [] });
  });

  it('moves a tool to a side once', () => {
    expect(withTool(['a'], 'a', true)).toEqual(['a']);
    expect(withTool(['a', 'b'], 'a', false)).toEqual(['b']);
  });
});

describe('tool-picker', () => {
  beforeAll(() => useLocale('en'));
  const mountPicker = (readonly: boolean) =>
    mount(ToolPicker, {
      props: { columns: toolColumnsOf(offer, ['base', 'planning'], ['bash']), readonly },
      global: { plugins: [i18n] },
    });

  it('moves a tool by its button', async () => {
    const picker = mountPicker(false);
    await picker.get('[data-test=move-patch]').trigger('click');
    await picker.get('[data-test=move-bash]').trigger('click');
    expect(picker.emitted('move')).toEqual([
      ['patch', true],
      ['bash', false],
    ]);
  });

  it('moves a tool by dragging it', async () => {
    const picker = mountPicker(false);
    await picker.get('[data-test=tools-available] li').trigger('dragstart');
    await picker.get('[data-test=tools-disabled]').trigger('drop');
    expect(picker.emitted('move')).toEqual([['patch', true]]);
  });

  it('locks a core tool and says why', () => {
    const picker = mountPicker(false);
    expect(picker.find('[data-test=move-todo]').exists()).toBe(false);
    expect(picker.get('[data-test=locked-todo]').text()).toContain('cannot be turned off');
  });

  it('has no buttons for a viewer', () => {
    expect(mountPicker(true).findAll('button')).toEqual([]);
  });

  it('searches both columns', async () => {
    const picker = mountPicker(false);
    await picker.get('input').setValue('bas');
    expect(picker.findAll('li').map((item) => item.get('code').text())).toEqual(['bash']);
  });
});
