import type { Channel } from '@netaclaw/contracts';
import { flushPromises, mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeAll, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { createMemoryHistory, createRouter, RouterView } from 'vue-router';
import { i18n, useLocale } from '../../../i18n/index.js';
import { useSession } from '../../../session.js';
import { channelInfo, updateChannel } from '../service.js';
import ChannelDrawer from './channel-drawer.vue';

vi.mock('../service.js', () => ({
  channelInfo: vi.fn<typeof channelInfo>(),
  updateChannel: vi.fn<typeof updateChannel>(),
}));
beforeAll(() => useLocale('en'));

const channel: Channel = {
  id: 3,
  version: 1,
  createTime: '2026-01-01T00:00:00.000Z',
  updateTime: '2026-01-01T00:00:00.000Z',
  name: 'one',
  protocol: 'rehearsal',
  baseUrl: null,
  apiKeyHint: null,
  model: 'm',
  capability: null,
  contextWindow: null,
  maxOutputTokens: null,
  params: {},
  headers: {},
  timeoutMs: null,
  fallbackChannelId: null,
  status: 1,
};
const ElDrawer = defineComponent({
  setup:
    (_, { slots }) =>
    () =>
      h('section', slots.default?.()),
});

it('keeps what is typed while the channel is being saved', async () => {
  const pinia = createPinia();
  setActivePinia(pinia);
  useSession().person = { id: 1, username: 'anna', role: 'admin' };
  const page = { render: () => h(ChannelDrawer, { opened: 3, channels: [] }) };
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [{ path: '/', component: page }],
  });
  await router.push('/');
  const answers: ((stored: Channel) => void)[] = [];
  vi.mocked(channelInfo).mockResolvedValue(channel);
  vi.mocked(updateChannel).mockImplementation(() => new Promise((answer) => answers.push(answer)));
  const global = { plugins: [i18n, pinia, router], stubs: { ElDrawer } };
  const wrapper = mount(RouterView, { global });
  await flushPromises();
  const name = () => wrapper.get<HTMLInputElement>('[data-test="channel-name"]');
  await name().setValue('two');
  await wrapper.get('form').trigger('submit');
  await name().setValue('two and more');
  answers[0]?.({ ...channel, name: 'two', version: 2 });
  await flushPromises();
  expect(vi.mocked(updateChannel)).toHaveBeenCalledExactlyOnceWith({
    id: 3,
    version: 1,
    name: 'two',
  });
  expect(name().element.value).toBe('two and more');
  await wrapper.get('form').trigger('submit');
  expect(vi.mocked(updateChannel)).toHaveBeenLastCalledWith({
    id: 3,
    version: 2,
    name: 'two and more',
  });
});
