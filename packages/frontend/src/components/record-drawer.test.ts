import { enableAutoUnmount, flushPromises, mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, reactive } from 'vue';
import { createMemoryHistory, createRouter, RouterView } from 'vue-router';
import { useLocale } from '../i18n/index.js';
import { useSession } from '../session.js';
import { confirm } from './confirm.js';
import RecordDrawer from './record-drawer.vue';

vi.mock('./confirm.js', () => ({ confirm: vi.fn<typeof confirm>() }));

enableAutoUnmount(afterEach);
beforeAll(() => useLocale('en'));

/** What the drawer is made of; its button closes it as a person does. */
const ElDrawer = defineComponent({
  props: { beforeClose: { type: Function, required: true } },
  setup: (props) => () => h('button', { onClick: () => props.beforeClose(() => undefined) }),
});

/** A page with a drawer over the record that the address names. */
async function opened(isDirty: boolean) {
  const form = reactive({ isDirty });
  const Page = defineComponent({
    setup: () => () =>
      h(RecordDrawer, {
        open: true,
        title: 'bash',
        isDirty: form.isDirty,
        address: 'tool',
        test: 'drawer',
        onClose: () => void router.replace('/tools?page=2'),
      }),
  });
  const Elsewhere = { render: () => null };
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/overview', component: Elsewhere },
      { path: '/tools', component: Page },
    ],
  });
  await router.push('/overview');
  await router.push('/tools?tool=1&page=2');
  const wrapper = mount(RouterView, { global: { plugins: [router], stubs: { ElDrawer } } });
  await flushPromises();
  return { router, wrapper, form, at: () => router.currentRoute.value.fullPath };
}

const away = (): Event => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event;
};

describe('unsaved changes in a drawer', () => {
  beforeEach(() => {
    setActivePinia(createPinia());
    useSession().person = { id: 1, username: 'a', role: 'operator' };
    vi.mocked(confirm).mockReset().mockResolvedValue(false);
  });

  it('are asked about before going back, to another record, or away', async () => {
    const { router, at } = await opened(true);
    router.back();
    await flushPromises();
    expect([at(), vi.mocked(confirm).mock.calls.length]).toEqual(['/tools?tool=1&page=2', 1]);
    await router.push('/tools?tool=2&page=2');
    expect([at(), vi.mocked(confirm).mock.calls.length]).toEqual(['/tools?tool=1&page=2', 2]);
    expect(away().defaultPrevented).toBe(true);
    vi.mocked(confirm).mockResolvedValue(true);
    await router.push('/overview');
    expect(at()).toBe('/overview');
    expect(away().defaultPrevented).toBe(false);
  });

  it('are asked about once when the drawer is closed', async () => {
    const { wrapper, at } = await opened(true);
    await wrapper.get('button').trigger('click');
    await flushPromises();
    expect([at(), vi.mocked(confirm).mock.calls.length]).toEqual(['/tools?tool=1&page=2', 1]);
    vi.mocked(confirm).mockResolvedValue(true);
    await wrapper.get('button').trigger('click');
    await flushPromises();
    expect([at(), vi.mocked(confirm).mock.calls.length]).toEqual(['/tools?page=2', 2]);
  });

  it('are in no danger where only the table behind the drawer changes', async () => {
    const { router, at } = await opened(true);
    await router.push('/tools?tool=1&page=3');
    expect([at(), vi.mocked(confirm).mock.calls.length]).toEqual(['/tools?tool=1&page=3', 0]);
  });

  it('are asked about only where there are any', async () => {
    const { router, at } = await opened(false);
    expect(away().defaultPrevented).toBe(false);
    await router.push('/overview');
    expect([at(), vi.mocked(confirm).mock.calls.length]).toEqual(['/overview', 0]);
  });
});
