import type { ToolChoice } from '@netaclaw/contracts';
import { mount } from '@vue/test-utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { i18n, useLocale } from '../../../i18n/index.js';
import { withTool } from '../tool-choice.js';
import { resorted, type ToolSide } from '../use-tool-choices.js';
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
const side = (...tools: ToolChoice[]): ToolSide => ({ tools, total: tools.length });
const columns = { available: side(choice('patch'), todo), disabled: side(choice('bash')) };
const names = ({ tools, total }: ToolSide) => [tools.map(({ name }) => name), total];

describe('resorted', () => {
  it.each<[string[], unknown, unknown]>([
    [['bash'], [['patch', 'todo'], 2], [['bash'], 1]],
    [
      ['bash', 'patch'],
      [['todo'], 1],
      [['patch', 'bash'], 2],
    ],
    [[], [['bash', 'patch', 'todo'], 3], [[], 0]],
  ])('with %j disabled by now', (disabled, available, off) => {
    const now = resorted(columns, disabled);
    expect([names(now.available), names(now.disabled)]).toEqual([available, off]);
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
      props: { columns, readonly, typed: '' },
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

  it('says what is searched for, and how many are not shown', async () => {
    const picker = mountPicker(false);
    await picker.get('input').setValue('bas');
    expect(picker.emitted('update:typed')).toEqual([['bas']]);
    await picker.setProps({ columns: { ...columns, available: { tools: [todo], total: 41 } } });
    expect(picker.get('[data-test=tools-available]').text()).toContain('40 more');
  });
});
