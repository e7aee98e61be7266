// Faults in as whom OCM applies what we send.
import type { Mutant } from './mutant.ts';

export const EXECUTORS: readonly Mutant[] = [
  {
    breaks: 'a site that names another account is written to with the rights of ours',
    file: 'crds/ocm/executors.ts',
    inside: 'cappsExecutorOn',
    text: 'claim?.value === `${namespace}/${account.name}`',
    becomes: 'claim !== undefined',
    seenBy: ['test/unit/crds/executors.test.ts'],
  },
  {
    breaks: 'all hubs without an id have one account',
    file: 'crds/ocm/executors.ts',
    inside: 'cappsExecutorOn',
    text: "if (hub === '') return null;",
    becomes: '',
    seenBy: ['test/unit/crds/executors.test.ts'],
  },
  {
    breaks: 'two hubs share the account of Bundles although each is to have its own',
    file: 'crds/ocm/executors.ts',
    inside: 'bundleExecutor',
    text: '`${plain}.${shortIdOf(hub)}`',
    becomes: '`${plain}.hub`',
    seenBy: ['test/unit/crds/executors.test.ts'],
  },
  {
    breaks: 'an upgrade writes every work for the sake of its executor',
    file: 'activities/hub/works.ts',
    inside: 'holds',
    text: "const rules = ['manifestConfigs', 'deleteOption'] as const;",
    becomes: "const rules = ['manifestConfigs', 'deleteOption', 'executor'] as const;",
    seenBy: ['test/unit/hub/ship/render-sender.test.ts'],
  },
  {
    breaks: 'a work keeps an executor that its site has no rights for any more',
    file: 'activities/hub/works.ts',
    inside: 'updateWork',
    text: 'wanted.spec?.executor ?? null',
    becomes: 'wanted.spec?.executor',
    seenBy: ['test/activity/hub/ship/executor.test.ts'],
  },
  {
    breaks: 'another name of the executor is another revision, so it rolls every Bundle',
    file: 'activities/hub/bundle/manifests/render.ts',
    inside: 'render',
    text: 'executor({ executorNamespace: terms.executorNamespace }, namespace)',
    becomes: 'executor(terms, namespace)',
    seenBy: ['test/unit/hub/bundle/render.test.ts'],
  },
  {
    breaks: 'an agent claims an account that has no rights',
    file: 'activities/agent/claims/site-facts.ts',
    inside: 'executorCalled',
    text: 'if (role === null || binding?.roleRef.kind !== CLUSTER_ROLE.kind || binding.roleRef.name !== name)',
    becomes: 'if (role === null && binding === null)',
    seenBy: ['test/activity/agent/claims.test.ts'],
  },
  {
    breaks: 'a Capp that its site refuses for lack of rights does not say why',
    file: 'activities/hub/status/work-facts.ts',
    inside: null,
    text: "{ said: 'not allowed to apply the resource ', refused: notAllowed },",
    becomes: '',
    seenBy: ['test/unit/hub/status/work-facts.test.ts'],
  },
];
