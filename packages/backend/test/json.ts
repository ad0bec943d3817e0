/** JSON as a test sees it: it looks inside and says what it expects to find. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
