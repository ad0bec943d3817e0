/** The names with one of them moved to a side. */
export const withTool = (names: readonly string[], name: string, isDisabled: boolean): string[] => {
  const others = names.filter((other) => other !== name);
  return isDisabled ? [...others, name] : others;
};
