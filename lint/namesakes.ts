// Finds types of one name that different files export: a name that crosses files says its thing.
import { parse, type ModuleItem } from '@swc/core';
import type { SourceText } from './violations.ts';

/**
 * One message for each name, with the files, the problem and the remedy. Tests may name their types as they
 * like. Throws when a source is not valid TypeScript.
 */
export async function namesakes(sources: readonly SourceText[]): Promise<string[]> {
  const files = new Map<string, string[]>();
  for (const { file, text } of sources.filter(({ file }) => !file.startsWith('test/')))
    for (const name of await exportedTypes(file, text)) files.set(name, [...(files.get(name) ?? []), file]);
  return [...files.keys()].toSorted().flatMap((name) => {
    const those = files.get(name) ?? [];
    return those.length === 1
      ? []
      : [
          `${those.join(', ')}: these export types of one name, ${name}. Give each a name that says its thing in the words of the glossary (docs/glossary.md).`,
        ];
  });
}

/** Interfaces, aliases, classes and enums that are declared in the source, by the names that others see. */
async function exportedTypes(file: string, text: string): Promise<ReadonlySet<string>> {
  const { body } = await parse(text, {
    syntax: 'typescript',
    tsx: file.endsWith('.tsx'),
    target: 'es2024',
  });
  const declared = new Set(body.flatMap((item) => typeIn(item)));
  return new Set(body.flatMap((item) => namesFor(item, declared)));
}

function namesFor(item: ModuleItem, declared: ReadonlySet<string>): string[] {
  if (item.type === 'ExportDeclaration') return typeIn(item.declaration);
  if (item.type !== 'ExportNamedDeclaration' || (item.source ?? null) !== null) return [];
  return item.specifiers.flatMap((one) =>
    one.type === 'ExportSpecifier' && declared.has(one.orig.value) ? [(one.exported ?? one.orig).value] : [],
  );
}

function typeIn(item: ModuleItem): string[] {
  switch (item.type) {
    case 'ClassDeclaration':
      return [item.identifier.value];
    case 'TsInterfaceDeclaration':
    case 'TsTypeAliasDeclaration':
    case 'TsEnumDeclaration':
      return [item.id.value];
    default:
      return [];
  }
}
