import type { Page, PageRequest } from '@netaclaw/contracts';
import { computed, watch, type ComputedRef } from 'vue';
import { useRoute, useRouter, type LocationQuery } from 'vue-router';
import type { z } from 'zod';
import { changedQuery, readQuery, type PageSchema } from './page-query.js';
import { useLoad, type Loaded } from './use-load.js';

/** A table that the server pages, sorts and filters; all of it is kept in the address. */
export interface PageTable<Row, Body extends PageRequest = PageRequest> extends Loaded<Page<Row>> {
  body: ComputedRef<Body>;
  /** The filters of the address that cannot be used: the rows are shown without them. */
  refused: ComputedRef<readonly string[]>;
  /** Changes filters or the order and goes to the first page. */
  filter: (changes: Record<string, unknown>) => void;
  goTo: (place: { page?: number; size?: number }) => void;
}

/** Reads the address by `schema`, asks `load` for that page, and asks again when the address changes. */
export function usePageTable<S extends PageSchema, Row>(options: {
  schema: S;
  load: (body: z.output<S>, signal: AbortSignal) => Promise<Page<Row>>;
}): PageTable<Row, z.output<S>> {
  const route = useRoute();
  const router = useRouter();
  const { path } = route;
  const asked = computed(() => readQuery(options.schema, route.query));
  const body = computed(() => asked.value.body);
  const loaded = useLoad((signal) => options.load(body.value, signal));

  watch(
    () => (route.path === path ? JSON.stringify(body.value) : null),
    (now, before) => {
      if (now !== null && before !== null) void loaded.reload();
    },
  );
  const show = (query: LocationQuery) => void router.replace({ query });

  return {
    ...loaded,
    body,
    refused: computed(() => asked.value.refused),
    filter: (changes) => show(changedQuery(route.query, { ...changes, page: undefined })),
    goTo: (place) => show(changedQuery(route.query, place)),
  };
}
