// What of a template's metadata is of another type than Knative reads. The schema of a Capp keeps whatever is
// there, and where no webhook has asked about it, it would be left out without a word. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import { cutText } from '../../crds/cut-text.ts';
import { SiteFault } from '../objects/fault.ts';

const PATH = 'spec.configurationSpec.template.metadata';
const LONGEST_KEY = 317;

/** A fault that names the first field that is of another type; null if there is none. */
export function mistypedFault({ spec }: Capp): SiteFault | null {
  const { name, labels, annotations } = spec.configurationSpec.template.metadata ?? {};
  const field =
    name === undefined || typeof name === 'string'
      ? (mistypedIn('labels', labels) ?? mistypedIn('annotations', annotations))
      : `${PATH}.name must be text`;
  return field === null
    ? null
    : new SiteFault('Refused', `${field}: put the value in quotes, or leave it out.`);
}

/** The API server drops null. */
function mistypedIn(place: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return `${PATH}.${place} must be an object of texts`;
  const found = Object.entries(value).find(([, one]) => one !== null && typeof one !== 'string');
  return found === undefined ? null : `${PATH}.${place}[${cutText(found[0], LONGEST_KEY)}] must be text`;
}
