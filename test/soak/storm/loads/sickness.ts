// An app that turns ill on its site, alone in a namespace of its own, and must be healed by a move.
import { CONFIG_MAP } from '../../../../crds/kubernetes/core.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { CRASHES } from '../../../../deploy/local/standins/pods/container-status.ts';
import { createCapp, readCapp, siteOf, untilReady } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { WHILE_AWAY, type Storm } from '../world.ts';

/** How long an app must be ill before it may leave, the least that a Capp may ask for. */
export const LEAVES_ITS_ILLNESS = { migration: { unhealthy: { afterSeconds: 60 } } };

export const PATIENT = 'patient';

/** Its namespace; its name begins with that of the storm, so the record has it. */
export const wardOf = (namespace: string): string => `${namespace}-ward`;

type World = Pick<Storm, 'stack' | 'namespace'>;

/** Waits until it is Ready. */
export async function admitPatient({ stack, namespace }: World): Promise<void> {
  const ward = wardOf(namespace);
  await stack.hub.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ward } });
  await createCapp(stack.hub, { namespace: ward, name: PATIENT, spec: LEAVES_ITS_ILLNESS });
  await untilReady(stack.hub, { namespace: ward, name: PATIENT });
}

/** From now on every Pod of its namespace crashes on the site that it is on. Resolves to that site. */
export async function fallIll({ stack, namespace, illnesses }: Storm): Promise<string> {
  const key = { namespace: wardOf(namespace), name: PATIENT };
  const site = siteOf(await eventually(() => readCapp(stack.hub, key), WHILE_AWAY));
  const crashes = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: key.namespace, name: CRASHES },
  };
  illnesses.push({ app: `${key.namespace}/${key.name}`, site, from: Date.now() });
  await eventually(
    async () =>
      (await stack.site(site).apply(CONFIG_MAP, crashes, { fieldManager: 'storm', force: true })) ?? true,
    WHILE_AWAY,
  );
  return site;
}

/** Waits until a move has healed it: it is Ready on another site than the one where it is ill. */
export async function untilHealed({ stack, namespace, illnesses }: Storm): Promise<void> {
  const key = { namespace: wardOf(namespace), name: PATIENT };
  await eventually(
    async () => {
      const capp = await readCapp(stack.hub, key);
      const isReady = capp.status?.conditions?.some(
        ({ type, status }) => type === 'Ready' && status === 'True',
      );
      if (isReady === true && illnesses.every(({ site }) => site !== siteOf(capp))) return true;
      throw new Error(`No move has healed ${PATIENT}: ${JSON.stringify(capp.status?.conditions)}`);
    },
    { withinMs: 600_000, everyMs: 500 },
  );
}
