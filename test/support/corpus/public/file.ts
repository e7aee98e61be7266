// What a public file of manifests is to the tests: written here in the style of public ones, with what is
// surprising in each.

/** Stands for the namespace into which a file goes, and in names of what is in no namespace. */
export const PLACE = '@ns@';

/** What becomes of a file: without more, what `kubectl apply` makes of it. */
export interface PublicFile {
  readonly text: string;
  /** Part of what the Bundle says, where it refuses the file. */
  readonly refused?: string;
  /** kubectl takes what the Bundle refuses. */
  readonly isTakenByKubectl?: true;
  /** Fields that are not shipped as they are written, such as `Job.spec.ttlSecondsAfterFinished`. */
  readonly leftOut?: readonly string[];
}

export type PublicFiles = Readonly<Record<string, PublicFile>>;
