// Fills the placeholders in the texts of a query: {{namespace}} and {{name}}, of the Capp that is checked.
import { QueryFault } from './tokens.ts';

/** Of the Capp. */
export interface Confines {
  readonly namespace: string;
  readonly name: string;
  /** It may still have placeholders of a CappSet, which fills them in when it writes the Capp. */
  readonly isTemplate?: true;
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const OF_SET = /^(site|label:[-A-Za-z0-9_./]+)$/;
/** As Kubernetes names Capps and namespaces: it ends no text of a query. */
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Throws QueryFault. */
export function placeholders(text: string, { namespace, name, isTemplate }: Confines): string {
  return text.replaceAll(PLACEHOLDER, (whole, asked: string) => {
    if (asked === 'namespace') return namespace;
    if (asked === 'name') return name;
    if (isTemplate === true && OF_SET.test(asked)) return whole;
    throw new QueryFault('its placeholders are {{namespace}} and {{name}}');
  });
}

/** Throws QueryFault. */
export function checkNames({ namespace, name }: Confines): void {
  if (!NAME.test(namespace) || !NAME.test(name))
    throw new QueryFault('the Capp has no name that can be asked for');
}
