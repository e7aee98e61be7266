// Faults in how Secrets are sealed, sent and opened.
import type { Mutant } from './mutant.ts';

const SEALED = ['test/unit/sealing/capp-secret.test.ts'];
const SHIPPED = ['test/activity/hub/ship/sealing.test.ts'];
const OPENED = ['test/activity/site/sealing.test.ts'];

export const SEALING: readonly Mutant[] = [
  {
    breaks: 'a sealed Secret opens under another name, where somebody else can read it',
    file: 'crds/sealing/capp-secret.ts',
    inside: 'boundTo',
    text: 'JSON.stringify([keyId, namespace, name])',
    becomes: 'JSON.stringify([keyId, namespace])',
    seenBy: SEALED,
  },
  {
    breaks: 'Secrets of two places with one content show that they are the same',
    file: 'crds/sealing/capp-secret.ts',
    inside: 'sealedFor',
    text: '[Buffer.from(DRAWN), site, aad, plain]',
    becomes: '[Buffer.from(DRAWN), plain]',
    seenBy: SEALED,
  },
  {
    breaks: 'whoever guesses a value can check the guess',
    file: 'crds/sealing/capp-secret.ts',
    inside: 'sealedFor',
    text: "createHmac('sha256', hubKey)",
    becomes: "createHmac('sha256', DRAWN)",
    seenBy: SEALED,
  },
  {
    breaks: 'bytes sealed for one purpose open for another',
    file: 'crds/sealing/hpke.ts',
    inside: 'schedule',
    text: "labeledExtract(suite, 'info_hash', info)",
    becomes: "labeledExtract(suite, 'info_hash', NONE)",
    seenBy: ['test/unit/sealing/hpke.test.ts'],
  },
  {
    breaks: 'a site without a key gets its Secrets in plain text',
    file: 'activities/hub/ship/sealing.ts',
    inside: 'sealShipment',
    text: "if (site === null) return noKey(cluster, 'claims no key to which they can be sealed');",
    becomes: 'if (site === null) return shipment;',
    seenBy: SHIPPED,
  },
  {
    breaks: 'a deleted RCSConfig has every sealed Secret sent in plain text',
    file: 'activities/hub/ship/sealing.ts',
    inside: 'isAsked',
    text: 'live?.spec?.workload.manifests?.some(({ kind }) => kind === CAPP_SECRET.kind) === true',
    becomes: 'live === undefined',
    seenBy: SHIPPED,
  },
  {
    breaks: 'a site loses its Secrets when sealing is switched on',
    file: 'activities/hub/ship/parcel.ts',
    inside: 'besides',
    text: 'return { ...shipment, standing };',
    becomes: 'return shipment.capp === undefined ? { ...shipment, standing } : shipment;',
    seenBy: SHIPPED,
  },
  {
    breaks: "the site operator takes somebody else's Secret",
    file: 'site/sealing/secret.ts',
    inside: 'ourSecret',
    text: "{ op: 'test', path: `/metadata/labels/${pointer(MANAGED_BY)}`, value: MANAGED_BY_HUB }",
    becomes: "{ op: 'test', path: '/kind', value: pointer('Secret') }",
    seenBy: OPENED,
  },
  {
    breaks: 'a Secret loses its other owner, and is deleted when sealing is switched off',
    file: 'site/sealing/secret.ts',
    inside: 'writeSecret',
    text: '[...owners, ownerOf(from)]',
    becomes: '[ownerOf(from)]',
    seenBy: OPENED,
  },
  {
    breaks: 'a key that was taken out of the Secret is that of a CappSecret all the same',
    file: 'site/sealing/keys.ts',
    inside: 'keysIn',
    text: 'keyIdOf(publicBytesOf(key)) === id ? key : null',
    becomes: 'key',
    seenBy: ['test/unit/site/site-keys.test.ts'],
  },
  {
    breaks: 'a Capp runs before its Secrets are open',
    file: 'site/sealing/awaited.ts',
    inside: 'faultOf',
    text: "if (said.status === 'True') return null;",
    becomes: 'if (said !== undefined) return null;',
    seenBy: ['test/unit/site/awaited-secret.test.ts'],
  },
  {
    breaks: 'a Capp that is to stop waits for a Secret that cannot be opened',
    file: 'site/sealing/awaited.ts',
    inside: 'awaitedSecret',
    text: "if (capp.spec.state === 'disabled') return null;",
    becomes: '',
    seenBy: ['test/unit/site/awaited-secret.test.ts'],
  },
  {
    breaks: 'a new key of a site rings nobody, so its Secrets stay sealed to the old one',
    file: 'bridge/changes/sealing.ts',
    inside: 'listenToSealing',
    text: "type !== 'Modified' || claimIn(previous) === claimIn(object)",
    becomes: "type !== 'Added'",
    seenBy: ['test/unit/bridge/changes/sealing.test.ts'],
  },
];
