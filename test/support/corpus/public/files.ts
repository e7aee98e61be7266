// All public files of the corpus, by what is special about each.
import { DATA } from './data.ts';
import type { PublicFiles } from './file.ts';
import { MISTAKES } from './mistakes.ts';
import { POLICIES } from './policies.ts';
import { PRINTED } from './printed.ts';
import { RENDERED } from './rendered.ts';
import { ROLES } from './roles.ts';
import { STATEFUL } from './stateful.ts';
import { WORKLOADS } from './workloads.ts';

export const PUBLIC_FILES: PublicFiles = {
  ...WORKLOADS,
  ...MISTAKES,
  ...STATEFUL,
  ...POLICIES,
  ...ROLES,
  ...RENDERED,
  ...PRINTED,
  ...DATA,
};
