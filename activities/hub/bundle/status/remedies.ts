// What helps when a site refuses a manifest, by words of API servers (apimachinery: pkg/api/validation,
// structured-merge-diff: typed) and of OCM. Pure.
import { successorOf } from './removed-kinds.ts';

/** The object that is refused, as far as the site names it. */
interface Meta {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly namespace?: string;
}

/** One sentence; null if only the words of the site help. */
export function remedyFor(meta: Meta, message: string): string | null {
  const help = HELP.find(
    ({ where, isFor }) => isFor.test(message) && (where !== 'nowhere' || (meta.namespace ?? '') === ''),
  );
  const isUnknown = help?.is === NO_KIND;
  return (isUnknown ? successorOf(meta) : null) ?? help?.is ?? null;
}

const NO_KIND = 'Correct apiVersion and kind, or ship the CustomResourceDefinition first.';

interface Help {
  readonly isFor: RegExp;
  /** `nowhere`: only of a manifest without a namespace. */
  readonly where?: 'nowhere';
  readonly is: string;
}

const HELP: readonly Help[] = [
  {
    isFor: /could not find the requested resource|does not allow this method/,
    where: 'nowhere',
    is: 'If the kind is in namespaces, give the manifest metadata.namespace.',
  },
  {
    isFor: /could not find the requested resource|no matches for kind|have a resource type/,
    is: NO_KIND,
  },
  {
    isFor: /must be of type (?:object|array): "?null/,
    is: 'What was not empty cannot become empty at once: leave the field out, and write it empty in a later edit if you need it.',
  },
  {
    isFor:
      /immutable|cannot change roleRef|updates to \w+ spec for fields other than|may not (?:be changed|change once set)/,
    is: 'That stays as it is in an object that exists: give the manifest another name, or delete the object on the site.',
  },
  {
    isFor: /field not declared in schema|unknown field/,
    is: 'Correct the spelling of the field, or take it out.',
  },
  { isFor: /: expected string, got/, is: 'Put the value in quotes.' },
  { isFor: /: expected (numeric|boolean)/, is: 'Write the value without quotes.' },
  { isFor: /: expected list, got/, is: 'Write a list there: begin each entry with a dash.' },
  { isFor: /: expected map, got/, is: 'Write a map there: a key and a value in each line, without a dash.' },
  { isFor: /: duplicate entries for key/, is: 'Leave one of these entries out.' },
  {
    isFor: /`selector` does not match template `labels`/,
    is: 'Give the labels of the template what spec.selector asks for.',
  },
  {
    isFor: /`selector` not auto-generated/,
    is: 'Leave out spec.selector and the labels with controller-uid: each Job gets its own.',
  },
  {
    isFor: /failed to allocate IP/,
    is: 'Leave spec.clusterIP and spec.clusterIPs out: each site gives a Service its own.',
  },
  {
    isFor: /provided port is (already allocated|not in the valid range)/,
    is: 'Leave nodePort out, or take one that is free on the site.',
  },
  {
    isFor: /must be less than or equal to [\w./-]{1,100} limit/,
    is: 'Lower what is requested, or raise the limit.',
  },
  { isFor: /lowercase RFC 1123/, is: 'Write it with lower-case letters of ASCII, digits and - alone.' },
  {
    isFor: /DNS-1035|start with an alphabetic/,
    is: 'Begin it with a lower-case letter, and write lower-case letters of ASCII, digits and - alone.',
  },
  {
    isFor: /(?:must|or) consist (?:only )?of/,
    is: 'Write it with letters of ASCII, digits, - _ and . alone.',
  },
  { isFor: /must be no more than \d+ (characters|bytes)/, is: 'Shorten it.' },
  { isFor: /: Required value/, is: 'Write each field that is required.' },
  {
    isFor: /namespaces "[\w.-]{1,63}" not found/,
    is: 'Ship that Namespace, too, or have it made on the site.',
  },
  {
    isFor: /because it is being terminated/,
    is: 'See what holds the deletion of that namespace on the site; once it has ended, ask for a retry.',
  },
  {
    isFor: /object is being deleted: /,
    is: 'Somebody has deleted it there: see which finalizers hold it.',
  },
  { isFor: /exceeded quota: /, is: 'Ship less, or have that quota raised on the site.' },
  {
    isFor: /violates PodSecurity /,
    is: 'Write that into the securityContext, or have the namespace allow it on the site.',
  },
  {
    isFor: /denied (?:the )?request/,
    is: 'Correct what that policy asks for, or have it changed on the site.',
  },
  {
    isFor: /error looking up service account|no PriorityClass with name/,
    is: 'Ship that, too, or have it made on the site.',
  },
  {
    isFor: /only dynamically provisioned pvc can be resized/,
    is: 'Give the claim another name, or have its StorageClass let claims grow.',
  },
  {
    isFor: /attempting to grant RBAC permissions/,
    is: 'Give the executor these rights on the site, or take them out.',
  },
  {
    isFor: /(?:maximum|minimum) [\w.-]{1,63} usage per /,
    is: 'Keep within the LimitRange of that namespace, or have it changed on the site.',
  },
  { isFor: /Request entity too large/, is: 'Make several objects of it.' },
  {
    isFor: /is already defined in ingress /,
    is: 'Use another host or path, or take it out of that Ingress.',
  },
];
