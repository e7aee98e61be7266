// The site's configuration as it changes, and what a Capp keeps while nothing is known of it.
import { normalise } from '../../../../crds/capp/normalise.ts';
import type { KnativeService } from '../../../../crds/kubernetes/knative.ts';
import { APPLIED } from '../../../../crds/labels.ts';
import { CAPP_CONFIG_NAMESPACES } from '../../../../crds/capp-config.ts';
import type { CappConfig } from '../../../../site/config/capp-config.ts';
import { liveConfig } from '../../../../site/config/live.ts';
import type { Optional } from '../../../../kube/watch/optional.ts';
import type { OperatedSite } from '../../../../site/watched.ts';
import { DEFAULT_AUTOSCALE } from '../../../../site/workload/autoscaling.ts';
import { workload } from '../../../../site/workload/service.ts';
import { steps } from '../../../../site/workload/steps.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyText } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const [HEAD, FORMER] = CAPP_CONFIG_NAMESPACES;
const config = (namespace: string, spec: Readonly<Record<string, unknown>>): CappConfig => ({
  metadata: { namespace, name: 'capp-config' },
  spec,
});

/** A kind that the test serves and changes. */
function aKind() {
  const objects = new Map<string, CappConfig>();
  const heard: (() => void)[] = [];
  const { promise: known, resolve } = Promise.withResolvers<void>();
  let served = false;
  const added = (listener: () => void): (() => void) => {
    heard.push(listener);
    return () => void heard.splice(heard.indexOf(listener), 1);
  };
  const changed = (): void => heard.forEach((listener) => listener());
  const kind: Optional<CappConfig> = {
    known,
    served: () => served,
    onServed: (listener) => added(listener),
    subscribe: (listener) => added(() => listener({} as never)),
    get: (key) => objects.get(keyText(key)),
    list: () => [...objects.values()],
    by: () => [],
    stop: () => Promise.resolve(),
  };
  return {
    kind,
    async serve(isServed: boolean): Promise<void> {
      served = isServed;
      resolve();
      changed();
      await known;
    },
    put(object: CappConfig): void {
      objects.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
      changed();
    },
    drop(namespace: string): void {
      objects.delete(`${namespace}/capp-config`);
      changed();
    },
  };
}

describe('the configuration of a site', () => {
  it('is unknown until the site has said whether it serves the kind, and then the defaults hold', async () => {
    const { kind, serve } = aKind();
    const live = liveConfig(kind, () => undefined);
    expect(live.current()).toBeNull();
    await serve(false);
    expect(live.current()?.autoscale).toEqual(DEFAULT_AUTOSCALE);
  });

  it('follows the object that counts, and calls back only when something changes', async () => {
    const { kind, serve, put, drop } = aKind();
    const live = liveConfig(kind, () => undefined);
    await serve(true);
    let calls = 0;
    live.onChange(() => {
      calls += 1;
    });
    const limit = (): number | undefined => live.current()?.revisionHistoryLimit;
    put(config(FORMER, { revisionHistoryLimit: 3 }));
    expect(limit()).toBe(3);
    put(config(HEAD, { revisionHistoryLimit: 4 }));
    expect(limit()).toBe(4);
    put(config(HEAD, { revisionHistoryLimit: 4, unknown: 'field' }));
    expect(calls).toBe(2);
    drop(HEAD);
    expect(limit()).toBe(3);
    await serve(false);
    expect(limit()).toBe(10);
  });

  it('tells of each list of problems once', async () => {
    const { kind, serve, put } = aKind();
    const told: (readonly string[])[] = [];
    liveConfig(kind, (problems) => told.push(problems));
    await serve(true);
    put(config(HEAD, { revisionHistoryLimit: 'all' }));
    put(config(HEAD, { revisionHistoryLimit: 'all', maxKafkaConsumers: 2 }));
    put(config(HEAD, {}));
    expect(told).toEqual([
      ['spec.revisionHistoryLimit has no effect: it must be a whole number of at least 1.'],
      [],
    ]);
  });
});

describe('a Capp that runs', () => {
  const { capp } = normalise(aCapp({ name: 'app', namespace: 'ns', uid: 'u' }));
  const applied: KnativeService[] = [];
  const kube = {
    apply: (_: unknown, object: KnativeService) => {
      applied.push(object);
      return Promise.resolve(object);
    },
    list: () => Promise.resolve({ items: [] }),
  } as unknown as Kube;
  const autoscale = { ...DEFAULT_AUTOSCALE, targets: { ...DEFAULT_AUTOSCALE.targets, concurrency: 99 } };
  const site = (live: KnativeService | undefined, current: object | null): OperatedSite =>
    ({
      kube,
      watched: { services: { served: () => true, get: () => live }, features: { current: () => null } },
      config: { current: () => current },
      steps: steps({ wake: () => undefined }),
    }) as unknown as OperatedSite;
  const targetOf = ({ spec }: KnativeService): string | undefined =>
    spec?.template?.metadata?.annotations?.['autoscaling.knative.dev/target'];
  beforeEach(() => void applied.splice(0));

  async function written(current: object | null): Promise<KnativeService> {
    await workload(site(undefined, current), capp);
    const [object] = applied.splice(0);
    if (object === undefined) throw new Error('Nothing was written.');
    return object;
  }

  it('keeps its figures, and is not written, while the configuration is unknown', async () => {
    const live = await written({ autoscale });
    expect(targetOf(live)).toBe('99');
    expect(await workload(site(live, null), capp)).toBe(live);
    expect(applied).toEqual([]);
  });

  it('that is edited while the configuration is unknown is written with the figures that it had', async () => {
    const live = await written({ autoscale });
    const edited = { ...capp, spec: { ...capp.spec, scaleSpec: { minReplicas: 2 } } };
    await workload(site(live, null), edited);
    expect(applied.map(targetOf)).toEqual(['99']);
  });

  it.each([
    [true, '99'],
    [false, undefined],
  ])(
    'that another operator wrote gets the figures of the configuration in its step: %s',
    async (isFirst, target) => {
      const { metadata, ...rest } = await written({ autoscale: DEFAULT_AUTOSCALE });
      const { [APPLIED]: _applied, ...annotations } = metadata.annotations ?? {};
      const live = { ...rest, metadata: { ...metadata, annotations } };
      const begun: string[] = [];
      const begin = (key: string): boolean => begun.push(key) > 0 && isFirst;
      const turns = { begin, has: () => false, end: () => undefined };
      await workload({ ...site(live, { autoscale }), steps: turns }, capp);
      // Without its spec it stays as it is.
      expect(applied.map(targetOf)).toEqual([target]);
      expect(begun).toEqual(['ns/app']);
      await workload({ ...site(live, { autoscale: DEFAULT_AUTOSCALE }), steps: turns }, capp);
      expect(begun).toHaveLength(1);
    },
  );
});
