import { authRoutes, type LoginBody, type Person, type Route } from '@netaclaw/contracts';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { call, onSignInEnded } from './request.js';
import { dropTokens, keepTokens, readTokens } from './tokens.js';

/** Who is signed in, and what they may do. */
export const useSession = defineStore('session', () => {
  const person = shallowRef<Person | null>(null);
  /** True while a request waits for a new sign-in; the page below keeps what was typed. */
  const hasEnded = ref(false);
  const waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];

  onSignInEnded(() => {
    hasEnded.value = true;
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  });

  async function signIn(body: LoginBody): Promise<void> {
    keepTokens(await call(authRoutes.login, { body }));
    person.value = await call(authRoutes.person);
    hasEnded.value = false;
    for (const { resolve } of waiting.splice(0)) resolve();
  }

  /** Finds the sign-in that this browser remembers; false when there is none. */
  async function resume(): Promise<boolean> {
    if (person.value) return true;
    if (!readTokens()) return false;
    person.value = await call(authRoutes.person);
    return true;
  }

  /** Leaves an ended sign-in as it is: what waits for a new one is given up. */
  function giveUp(): void {
    dropTokens();
    person.value = null;
    hasEnded.value = false;
    const reason = new DOMException('the sign-in was given up', 'AbortError');
    for (const { reject } of waiting.splice(0)) reject(reason);
  }

  async function signOut(): Promise<void> {
    try {
      await call(authRoutes.logout, { body: {} });
    } finally {
      dropTokens();
      person.value = null;
    }
  }

  /** Whether this person's role may call a route: the contracts decide, as on the server. */
  function may(route: Pick<Route, 'access'>): boolean {
    if (route.access === 'open') return true;
    return person.value !== null && route.access.roles.includes(person.value.role);
  }

  return {
    person,
    role: computed(() => person.value?.role ?? null),
    hasEnded,
    signIn,
    resume,
    signOut,
    giveUp,
    may,
  };
});
