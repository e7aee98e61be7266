// The rights of a ServiceAccount according to the API server: all in one namespace, or one request.
import type { Cluster } from '../chart/chart.ts';

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

export interface Rights {
  /**
   * Sorted, as `<verbs> <resource>[.<group>][/<subresource>][ named <names>]`, without what everybody may.
   */
  listIn(namespace: string): Promise<string[]>;
  /** `<verb> <resource>[.<group>][/<subresource>] [[<namespace>/]<name>]`. */
  mayDo(act: string): Promise<boolean>;
}

export function accountOf(namespace: string, name: string): Account {
  return { namespace, name };
}

export function rightsOf(cluster: Cluster, { namespace: home, name }: Account): Rights {
  const user = `system:serviceaccount:${home}:${name}`;
  return {
    listIn: async (namespace) => {
      const everybody = new Set(await listed(cluster, 'system:serviceaccount:nowhere:nobody', namespace));
      return (await listed(cluster, user, namespace)).filter((right) => !everybody.has(right));
    },
    mayDo: async (act) => {
      const review = { kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: attributesOf(act) } };
      return ((await cluster.ask(user, review)) as { allowed: boolean }).allowed;
    },
  };
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

async function listed(cluster: Cluster, user: string, namespace: string): Promise<string[]> {
  const status = await cluster.ask(user, { kind: 'SelfSubjectRulesReview', spec: { namespace } });
  const { resourceRules, incomplete } = status as { resourceRules: readonly Rule[]; incomplete: boolean };
  if (incomplete) throw new Error(`The API server does not know all rights of ${user} in ${namespace}`);
  const verbs = new Map<string, Set<string>>();
  for (const rule of resourceRules) {
    for (const subject of subjectsOf(rule)) {
      const known = verbs.get(subject) ?? new Set();
      verbs.set(subject, new Set([...known, ...rule.verbs]));
    }
  }
  return [...verbs].map(([subject, allowed]) => `${[...allowed].toSorted().join(' ')} ${subject}`).toSorted();
}

function subjectsOf({ apiGroups = [], resources = [], resourceNames = [] }: Rule): string[] {
  const names = resourceNames.length === 0 ? '' : ` named ${resourceNames.toSorted().join(', ')}`;
  return apiGroups.flatMap((group) =>
    resources.map((resource) => {
      const [plural = '', subresource] = resource.split('/');
      return `${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}${names}`;
    }),
  );
}

function attributesOf(act: string): object {
  const [verb = '', what = '', which = ''] = act.split(' ');
  const [kind = '', subresource = ''] = what.split('/');
  const [resource = '', ...group] = kind.split('.');
  const [name = '', namespace = ''] = which.split('/').toReversed();
  return { verb, resource, group: group.join('.'), subresource, namespace, name };
}
