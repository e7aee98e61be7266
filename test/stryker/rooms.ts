// The rooms of decisions into which StrykerJS puts its faults, and the tests that are to see them.

export interface StrykerRoom {
  /** Files of the product. */
  readonly mutate: readonly string[];
  /** Files of tests without a server. */
  readonly tests: readonly string[];
}

export const STRYKER_ROOMS: Readonly<Record<string, StrykerRoom>> = {
  placement: { mutate: ['workflows/placement/*.ts'], tests: ['test/unit/placement/**/*.test.ts'] },
  stages: { mutate: ['workflows/stages/**/*.ts'], tests: ['test/unit/stages/**/*.test.ts'] },
  next: { mutate: ['workflows/capp/next/*.ts'], tests: ['test/unit/capp/**/*.test.ts'] },
  drain: { mutate: ['workflows/drain/decide/*.ts'], tests: ['test/unit/drain/**/*.test.ts'] },
  metal: { mutate: ['workflows/metal/plan/*.ts'], tests: ['test/unit/metal/**/*.test.ts'] },
};
