// An API server in memory, which answers requests as the real one does.
import { ApiError } from '../../../../kube/failure.ts';
import { keyText, type Key, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import { Fields } from './field-managers.ts';
import { Objects, type Stored, type Watcher, type Write } from './objects.ts';
import { asked, type Asked } from './request.ts';
import { merged, operated, type Json, type Operation } from './merge.ts';
import { appliedIn, appliedOver, conflictsIn, NOTHING, type Applied } from './whole-apply.ts';

/** Kinds whose status is a subresource. */
const WITH_STATUS: ReadonlySet<string> = new Set([
  'addonplacementscores',
  'bundles',
  'capps',
  'cappsets',
  'cnamerecords',
  'manifestworks',
  'managedclusters',
  'placements',
  'placementdecisions',
]);

export class ApiServer {
  readonly #now: () => number;
  readonly #objects: Objects;
  readonly #fields = new Map<string, Fields>();
  readonly #applied = new Map<string, Applied>();
  readonly namespaces = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
    this.#objects = new Objects(now, (plural, uid) => void this.#fields.delete(`${plural}/${uid}`));
  }

  /** Hears of every write, or of those of one kind, when it has been done. Gives the way to hear no more. */
  onWrite(watcher: Watcher, plural: string | null = null): () => void {
    return this.#objects.onWrite(watcher, plural);
  }

  /** What was written of a kind after a version. */
  since(plural: string, version: number): Write[] {
    return this.#objects.since(plural, version);
  }

  version(): string {
    return this.#objects.version();
  }

  /** Null if it is not there; the caller knows what it is. */
  read({ plural }: Resource, key: Key): unknown {
    return this.#objects.of(plural).get(keyText(key)) ?? null;
  }

  all({ plural }: Resource): Stored[] {
    return [...this.#objects.of(plural).values()];
  }

  /** Everything that is there, each with its kind and key. */
  whole(): (readonly [what: string, object: Stored])[] {
    return this.#objects.whole();
  }

  /**
   * What somebody does with rights to everything: `null` takes it away whatever its finalizers say. Nothing
   * is written that changes nothing.
   */
  put<T extends KubeObject>(
    { plural }: Resource,
    key: Key,
    change: (before: T | null) => T | null,
    by = 'others',
  ): void {
    const before = this.#objects.of(plural).get(keyText(key)) ?? null;
    const after = change(before as T | null) as Stored | null;
    if (after !== before) this.#objects.write(plural, keyText(key), after, by);
  }

  /** Deletes as anybody does: finalizers are waited for. */
  remove(resource: Resource, key: Key): void {
    if (this.read(resource, key) !== null)
      this.answer({ method: 'DELETE', path: pathTo(resource, key) }, 'others');
  }

  /** Carries a request out. Throws ApiError. */
  answer(request: KubeRequest, by: string): unknown {
    const call = asked(request);
    switch (call.method) {
      case 'GET':
        return call.name === null ? this.#list(call) : cut(call, this.#there(call));
      case 'POST':
        return this.#create(call, by);
      case 'PATCH':
        if (call.isJsonPatch) return this.#operate(call, by);
        if (call.isApply && call.subresource === null) return this.#applyWhole(call, by);
        return call.isApply ? this.#apply(call, by) : this.#patch(call, by);
      default:
        return this.#delete(call, by);
    }
  }

  #there(call: Asked): Stored {
    const found = this.#objects.of(call.plural).get(call.key);
    if (found === undefined) throw refusal(call, 404, 'NotFound');
    return found;
  }

  #list(call: Asked): unknown {
    const items = [...this.#objects.of(call.plural).values()]
      .filter((object) => call.selects(object))
      .map((object) => cut(call, object));
    return { metadata: { resourceVersion: this.version() }, items };
  }

  #create(call: Asked, by: string): Stored {
    const given = call.body as unknown as Stored;
    const { namespace, name } = given.metadata;
    if (namespace !== undefined && !this.namespaces.has(namespace)) throw refusal(call, 404, 'NotFound');
    const key = keyText({ namespace: namespace ?? null, name });
    if (this.#objects.of(call.plural).has(key)) throw refusal(call, 409, 'AlreadyExists');
    if (call.isDryRun) return given;
    const { status: _status, ...rest } = given;
    const made = WITH_STATUS.has(call.plural) ? rest : given;
    return this.#objects.write(call.plural, key, made, by);
  }

  #patch(call: Asked, by: string): Stored {
    const before = this.#there(call);
    const { metadata = {}, ...fields } = call.body as { metadata?: Json } & Json;
    this.#precondition(call, before, metadata);
    const isStatus = call.subresource === 'status';
    const { uid: _uid, resourceVersion: _version, ...meta } = metadata;
    const { status, ...others } = fields;
    const wanted = isStatus ? { status } : WITH_STATUS.has(call.plural) ? others : fields;
    const after = {
      ...merged(before as unknown as Json, wanted),
      metadata: merged(before.metadata as unknown as Json, isStatus ? {} : meta),
    };
    const { finalizers = [] } = after.metadata as unknown as KubeObject['metadata'];
    const added = finalizers.some((one) => before.metadata.finalizers?.includes(one) !== true);
    if (added && before.metadata.deletionTimestamp !== undefined)
      throw refusal(call, 422, 'Invalid', ['metadata.finalizers: FieldValueForbidden']);
    return this.#objects.write(call.plural, call.key, after as unknown as Stored, by);
  }

  /** A JSON patch of fields of a status. Whoever writes a field owns it from then on. */
  #operate(call: Asked, by: string): Stored {
    const before = this.#there(call);
    const wanted = operated(before as unknown as Json, call.body as unknown as readonly Operation[]);
    if (wanted === null) throw refusal(call, 422, 'Invalid');
    this.#precondition(call, before, wanted['metadata'] as Json);
    const status = (wanted['status'] ?? {}) as Json;
    const owner = `${call.plural}/${before.metadata.uid}`;
    const fields = (this.#fields.get(owner) ?? new Fields()).updated(call.fieldManager, status);
    this.#fields.set(owner, fields);
    return this.#objects.write(call.plural, call.key, { ...before, status: fields.value() }, by);
  }

  /** Of an object that is not there an apply with a uid is a Conflict, and one with a version creates it. */
  #applyWhole(call: Asked, by: string): Stored {
    const body = call.body as Json;
    const wanted = appliedIn(body);
    const before = this.#objects.of(call.plural).get(call.key);
    const { uid, resourceVersion, ...metadata } = body['metadata'] as Json;
    if (before === undefined) {
      if (uid !== undefined) throw refusal(call, 409, 'Conflict');
      const made = this.#objects.write(call.plural, call.key, { ...body, metadata } as unknown as Stored, by);
      this.#applied.set(`${call.plural}/${made.metadata.uid}`, wanted);
      return made;
    }
    this.#precondition(call, before, { uid, resourceVersion });
    const owner = `${call.plural}/${before.metadata.uid}`;
    const mine = this.#applied.get(owner) ?? NOTHING;
    const conflicts = conflictsIn(before, mine, wanted);
    if (conflicts.length > 0) throw refusal(call, 409, 'Conflict', conflicts);
    this.#applied.set(owner, wanted);
    return this.#objects.write(call.plural, call.key, appliedOver(before, mine, wanted), by);
  }

  /** Server-side apply of a status, with force. */
  #apply(call: Asked, by: string): Stored {
    const before = this.#there(call);
    const { metadata, status = {} } = call.body as { metadata: Json; status?: Json };
    this.#precondition(call, before, metadata);
    const owner = `${call.plural}/${before.metadata.uid}`;
    const fields = (this.#fields.get(owner) ?? new Fields()).applied(call.fieldManager, status);
    this.#fields.set(owner, fields);
    return this.#objects.write(call.plural, call.key, { ...before, status: fields.value() }, by);
  }

  /** To a status the server takes any uid. */
  #precondition(call: Asked, before: Stored, { uid, resourceVersion }: Json): void {
    if (call.subresource === null && uid !== undefined && uid !== before.metadata.uid)
      throw refusal(call, 422, 'Invalid', ['metadata.uid: FieldValueInvalid']);
    if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion)
      throw refusal(call, 409, 'Conflict');
  }

  #delete(call: Asked, by: string): Stored {
    const before = this.#there(call);
    const { preconditions = {} } = (call.body ?? {}) as { preconditions?: Json };
    const { uid, resourceVersion } = preconditions;
    if (uid !== undefined && uid !== before.metadata.uid) throw refusal(call, 409, 'Conflict');
    if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion)
      throw refusal(call, 409, 'Conflict');
    if (before.metadata.deletionTimestamp !== undefined) return before;
    const deletionTimestamp = new Date(this.#now()).toISOString().replace(/\.\d+Z$/, 'Z');
    return this.#objects.write(
      call.plural,
      call.key,
      { ...before, metadata: { ...before.metadata, deletionTimestamp } },
      by,
    );
  }
}

/** Only the metadata leaves the server when no more is asked for. */
function cut(call: Asked, object: Stored): KubeObject {
  return call.isMetadataOnly ? { metadata: object.metadata } : object;
}

function pathTo({ apiVersion, plural, namespaced }: Resource, { namespace, name }: Key): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${namespaced && namespace !== null ? `/namespaces/${namespace}` : ''}/${plural}/${name}`;
}

function refusal(
  { method, path }: Pick<Asked, 'method' | 'path'>,
  code: number,
  reason: string,
  fields: readonly string[] = [],
): ApiError {
  return new ApiError({ method, path, code, reason, fields });
}
