import { mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeAll, expect, it } from 'vitest';
import { i18n, useLocale } from '../../../i18n/index.js';
import { useSession } from '../../../session.js';
import ChannelForm from './channel-form.vue';

beforeAll(() => useLocale('en'));

it('follows the role of whoever is signed in: a viewer sees no dead button', async () => {
  const pinia = createPinia();
  setActivePinia(pinia);
  const session = useSession();
  session.person = { id: 1, username: 'anna', role: 'operator' };
  const form = mount(ChannelForm, {
    props: { channel: null, channels: [] },
    global: { plugins: [i18n, pinia] },
  });
  expect(form.find('[data-test="channel-save"]').exists()).toBe(true);
  session.person = { id: 1, username: 'anna', role: 'viewer' };
  await form.vm.$nextTick();
  expect(form.find('[data-test="channel-save"]').exists()).toBe(false);
});
