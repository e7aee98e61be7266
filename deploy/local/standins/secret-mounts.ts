// Stand-in for the kubelet's mount of the agent's identity: writes the Secret's data as files.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IDENTITY_SECRET } from '../../../crds/hub/agent-identity.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyText } from '../../../kube/resource.ts';
import { cache } from '../../../kube/watch/cache.ts';
import { partQueue, type OnProblem, type StandIn } from './stand-in.ts';

/** The chart's default for addon.installNamespace. */
const NAMESPACE = 'open-cluster-management-agent-addon';
const FILES = ['ca.crt', 'token'];

/** A file is replaced as a whole, so that nobody reads half of it. The token comes last. */
export function identityMount(kube: Kube, onProblem: OnProblem, folder: string): StandIn {
  const secrets = cache<Secret>(kube, {
    resource: SECRET,
    namespace: NAMESPACE,
    fieldSelector: `metadata.name=${IDENTITY_SECRET}`,
    onProblem: (error) => onProblem('identity', error),
  });
  const queue = partQueue({
    name: 'identity',
    onProblem,
    after: [secrets.synced],
    work: async (key) => {
      const data = secrets.get(key)?.data ?? {};
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const name of FILES) await keep(join(folder, name), data[name]);
    },
  });
  const unsubscribe = secrets.subscribe(({ object: { metadata } }) =>
    queue.add(keyText({ namespace: NAMESPACE, name: metadata.name })),
  );
  return {
    synced: secrets.synced,
    stop: async () => {
      unsubscribe();
      await Promise.all([queue.stop(), secrets.stop()]);
    },
  };
}

async function keep(file: string, base64: string | undefined): Promise<void> {
  if (base64 === undefined) return rm(file, { force: true });
  await writeFile(`${file}.next`, Buffer.from(base64, 'base64'), { mode: 0o600 });
  await rename(`${file}.next`, file);
}
