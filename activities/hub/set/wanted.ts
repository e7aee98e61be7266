// What the newest revision of a set says of a site, as far as a look needs it: what is rendered is not kept,
// because of a thousand sites that would be more than a process has. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import { contentOf, renderer, type RevisionContent, type SiteFacts } from '../../../crds/set/render.ts';
import { overriddenFields } from './hand-edits.ts';

export interface WantedContent {
  /** A label that the template names and the site does not have; null if it has all of them. */
  readonly missingLabel: string | null;
  /** The digest of what the site would get; null where there is no Capp of the set, or a label is missing. */
  readonly content: string | null;
  /** The site would get a Capp that runs nothing. */
  readonly isDisabled: boolean;
  /** What somebody has changed of a Capp that was written with that content. */
  readonly overridden: readonly string[];
}

/** Renders for each site once, as long as the site and its Capp stay what they are. `child` is of the set. */
export function wantedBy(pattern: RevisionContent): (site: SiteFacts, child: Capp | null) => WantedContent {
  const render = renderer(pattern);
  const known = new Map<
    string,
    { readonly site: SiteFacts; readonly child: Capp | null; readonly wanted: WantedContent }
  >();
  return (site, child) => {
    const before = known.get(site.cluster);
    if (before?.child === child && before.site.labels === site.labels) return before.wanted;
    const wanted = wantedOn(render, site, child);
    known.set(site.cluster, { site, child, wanted });
    return wanted;
  };
}

/** Where the template cannot be read: what the set wrote last is what its Capps are to have. */
export function asWritten(_site: SiteFacts, child: Capp | null): WantedContent {
  const written = child === null ? null : writtenOf(child.metadata);
  const isDisabled = child?.spec.state === 'disabled';
  return { missingLabel: null, content: written?.content ?? null, isDisabled, overridden: [] };
}

function wantedOn(render: ReturnType<typeof renderer>, site: SiteFacts, child: Capp | null): WantedContent {
  const rendering = render(site);
  if ('missingLabel' in rendering)
    return { missingLabel: rendering.missingLabel, content: null, isDisabled: false, overridden: [] };
  const isDisabled = rendering.spec.state === 'disabled';
  const written = child === null ? null : writtenOf(child.metadata);
  if (child === null || written === null)
    return { missingLabel: null, content: null, isDisabled, overridden: [] };
  const content = contentOf(rendering);
  const overridden = content === written.content ? overriddenFields(child, rendering) : [];
  return { missingLabel: null, content, isDisabled, overridden };
}
