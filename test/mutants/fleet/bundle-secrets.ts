// Faults in what holds a Bundle back whose Secrets would have to be sealed, and in what is told of them.
import type { Mutant } from '../mutant.ts';

const BUNDLES = ['test/unit/hub/bundle/held-back.test.ts'];
const OF_BUNDLES = ['test/unit/crds/bundle-secrets.test.ts'];

export const BUNDLE_SECRETS: readonly Mutant[] = [
  {
    breaks: 'where sealing is required, sites fail by the Secrets of a Bundle, which is not held back',
    file: 'activities/hub/bundle/kind.ts',
    inside: 'prepared',
    text: 'if (unsealed !== null && !isUndone(rollout, revision)) return refused(unsealed);',
    becomes: '',
    seenBy: BUNDLES,
  },
  {
    breaks: 'where sealing is required, the Secrets of a Bundle go into works as they are',
    file: 'activities/hub/bundle/carry-out.ts',
    inside: 'shipTo',
    text: '(heldBack(newest.loaded) ?? newest)',
    becomes: 'newest',
    seenBy: BUNDLES,
  },
  {
    breaks: 'a way back stops where only the newest content of a Bundle is held back',
    file: 'activities/hub/bundle/kind.ts',
    inside: 'prepared',
    text: ' && !isUndone(rollout, revision)',
    becomes: '',
    seenBy: BUNDLES,
  },
  {
    breaks: 'a rollout that goes back brings the Secrets of an earlier revision into works again',
    file: 'activities/hub/bundle/revisions.ts',
    inside: 'restore',
    text: 'if (unsealed !== null) return unlike(unsealed);',
    becomes: '',
    seenBy: BUNDLES,
  },
  {
    breaks: 'what a Secret of the hub holds goes into works if it is no Secret itself',
    file: 'crds/bundle/secrets.ts',
    inside: 'firstSecretOf',
    text: 'if (source !== undefined) return',
    becomes: 'if (source === null) return',
    seenBy: OF_BUNDLES,
  },
  {
    breaks: 'a Secret inside another object is overlooked',
    file: 'crds/bundle/secrets.ts',
    inside: 'secretIn',
    text: 'for (const inner of Object.values(one)) left.push(inner)',
    becomes: 'left.length = 0',
    seenBy: OF_BUNDLES,
  },
  {
    breaks: 'a Secret that is written as text is overlooked',
    file: 'crds/bundle/secrets.ts',
    inside: 'hasValues',
    text: "[value['data'], value['stringData']]",
    becomes: "[value['data']]",
    seenBy: OF_BUNDLES,
  },
  {
    breaks: 'one namespace in the list opens all',
    file: 'crds/bundle/secrets.ts',
    inside: 'areHeldBack',
    text: 'secrets.unsealedBundles?.includes(namespace) !== true',
    becomes: '(secrets.unsealedBundles ?? []).length === 0',
    seenBy: OF_BUNDLES,
  },
  {
    breaks: 'a Bundle with a Secret cannot be mended step by step once sealing is required',
    file: 'admission/rules/bundle-secrets.ts',
    inside: 'newSecrets',
    text: 'isNew ? [problem] : []',
    becomes: '[problem]',
    seenBy: ['test/unit/admission/bundle-secrets.test.ts'],
  },
  {
    breaks: 'who may read no Bundle is shown what a Secret inside another object holds',
    file: 'crds/bundle/differences.ts',
    inside: 'isOpen',
    text: ' && secretIn(one) === null',
    becomes: '',
    seenBy: ['test/unit/crds/bundle-differences.test.ts'],
  },
];
