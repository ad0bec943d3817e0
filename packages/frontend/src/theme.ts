import { createSharedComposable, useDark, useToggle } from '@vueuse/core';

/** Light or dark: as the system has it, until it is chosen. */
export const useTheme = createSharedComposable(() => {
  const isDark = useDark({ storageKey: 'netaclaw.theme' });
  return { isDark, toggle: useToggle(isDark) };
});
