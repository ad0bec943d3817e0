import { mount } from '@vue/test-utils';
import { beforeAll, expect, it } from 'vitest';
import { i18n, useLocale } from '../i18n/index.js';
import PageFilters from './page-filters.vue';

beforeAll(() => useLocale('en'));

const filtersOver = (values: Record<string, unknown>) =>
  mount(PageFilters, {
    props: { filters: [{ key: 'keyWord', label: 'tool.keyWord', kind: 'text' }], values },
    global: { plugins: [i18n] },
  });

it('clears every filter, the time range too, and leaves size and order', async () => {
  const wrapper = filtersOver({ page: 2, size: 50, order: 'at', sort: 'asc', from: 'x', to: 'y' });
  await wrapper.get('[data-test=clear-filters]').trigger('click');
  expect(wrapper.emitted('change')).toEqual([[{ from: undefined, to: undefined }]]);
});

it('has nothing to clear where nothing is filtered', () => {
  const wrapper = filtersOver({ page: 2, size: 50, keyWord: undefined });
  expect(wrapper.find('[data-test=clear-filters]').exists()).toBe(false);
});
