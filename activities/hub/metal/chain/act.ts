// Does what the chain decides: each act is one write, or two of which the second finds the first. All of them
// rest on the versions that were read.
import { REUSE_NAME } from '../../../../crds/join/labels.ts';
import { ABANDON_HOSTS, ALLOW_WIPE, SITE_CAME, SITE_HUBS } from '../../../../crds/metal/labels.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf, keyTextOf } from '../../../../kube/resource.ts';
import type { ChainAct } from '../../../../workflows/metal/chain/sight.ts';
import { forget, provision, wipe } from './host-acts.ts';
import { wordsIn, type Chain, type ChainGround } from './see.ts';
import { detach, drain, expect, label, undrain } from './site-acts.ts';
import { makeToken } from '../../join/token.ts';
import { reusesName } from './refusals.ts';
import { MADE_BY } from './made-by.ts';

/** Throws ApiError and ChainFault. A Conflict says that what was read is not so any more. */
export async function doAct(kube: Kube, chain: Chain, ground: ChainGround, act: ChainAct): Promise<void> {
  switch (act.do) {
    case 'note':
      return note(kube, chain, ground.sight.otherHubs);
    case 'expect':
      return expect(kube, chain);
    case 'label':
      return label(kube, chain, there(ground.managed));
    case 'token':
      return makeToken(kube, {
        managed: there(ground.managed),
        ttlMs: ground.sight.deadlineMs,
        now: chain.now,
        ...MADE_BY,
        ...(reusesName(chain.cluster) ? { notes: { [REUSE_NAME]: 'true' } } : {}),
      });
    case 'provision':
      return provision(kube, chain, ground, { host: hostOf(chain, act.host), token: act.token });
    case 'wipe':
      return wipe(kube, hostOf(chain, act.host));
    case 'forget':
      return forget(kube, ground, hostOf(chain, act.host));
    case 'heard':
      return heard(kube, chain, act);
    case 'drain':
      return drain(kube, chain);
    case 'undrain':
      return undrain(kube, there(ground.drain));
    case 'detach':
      return detach(kube, there(ground.managed), act.force);
  }
}

function there<T>(thing: T | null | undefined): T {
  if (thing === null || thing === undefined) throw new Error('an act was planned for what is not there');
  return thing;
}

function hostOf({ own }: Chain, key: string): BareMetalHost {
  return there(own.find((host) => keyTextOf(host) === key));
}

async function note(kube: Kube, { cluster }: Chain, hubs: readonly string[]): Promise<void> {
  const { uid = '', resourceVersion } = cluster.metadata;
  const annotations = { [SITE_CAME]: uid, [SITE_HUBS]: hubs.length === 0 ? null : hubs.join(',') };
  const metadata = { uid, resourceVersion, annotations };
  await kube.patch(SIP_CLUSTER, keyOf(cluster), { metadata }, MADE_BY);
}

async function heard(
  kube: Kube,
  { cluster }: Chain,
  { words, abandoned }: Extract<ChainAct, { do: 'heard' }>,
): Promise<void> {
  const { uid, resourceVersion, annotations: has } = cluster.metadata;
  const annotations = {
    ...(words.length === 0 ? {} : { [ALLOW_WIPE]: without(has?.[ALLOW_WIPE], words) }),
    ...(abandoned.length === 0 ? {} : { [ABANDON_HOSTS]: without(has?.[ABANDON_HOSTS], abandoned) }),
  };
  await kube.patch(SIP_CLUSTER, keyOf(cluster), { metadata: { uid, resourceVersion, annotations } }, MADE_BY);
}

/** What is left of the words in a text; null: nothing. */
function without(text: string | undefined, words: readonly string[]): string | null {
  const gone = new Set(words);
  const left = [...wordsIn(text)].filter((word) => !gone.has(word));
  return left.length === 0 ? null : left.join(',');
}
