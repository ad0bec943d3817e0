/** Members of the measured crew, and how many of them are at work at once: here and in the pass-through. */
export const CREW_MEMBERS = 100;
export const CREW_PARALLEL = 8;
