// Distributes entries over sections, most important first, within the limits per section and in
// total. All functions are pure.
import type {
  ContentEntry,
  ContentLanguage,
} from '../../store/radar/publication/report-content.ts';
import type { ReportCategory } from './composition-context.ts';

export type FilledSection = {
  readonly category: string;
  readonly label: string;
  readonly entries: readonly ContentEntry[];
};

export type Capacity = {
  readonly entries: number;
  readonly entriesPerSection: number;
  readonly language: ContentLanguage;
  /**
   * True when an entry belongs to the briefs, not to a section. The first placed entry is exempt.
   */
  readonly isFlash: (entry: ContentEntry) => boolean;
};

/**
 * `entries`: most important first. Sections without entries are absent. `remaining` has all entries
 * that no section contains.
 */
export function fillSections(
  entries: readonly ContentEntry[],
  categories: readonly ReportCategory[],
  { entries: max, entriesPerSection, language, isFlash }: Capacity,
): { readonly sections: readonly FilledSection[]; readonly remaining: readonly ContentEntry[] } {
  const filledSections = new Map<string, ContentEntry[]>(categories.map(({ id }) => [id, []]));
  const remainingEntries: ContentEntry[] = [];
  let freeEntries = max;
  for (const entry of entries) {
    const section = filledSections.get(entry.category ?? '');
    const isFirst = freeEntries === max;
    const hasSpace = freeEntries > 0 && section !== undefined && section.length < entriesPerSection;
    if (!hasSpace || (isFlash(entry) && !isFirst)) {
      remainingEntries.push(entry);
      continue;
    }
    section.push(entry);
    freeEntries -= 1;
  }
  const sections = categories.map(({ id, label }) => ({
    category: id,
    label: label[language],
    entries: filledSections.get(id) ?? [],
  }));
  return {
    sections: sections.filter((section) => section.entries.length > 0),
    remaining: remainingEntries,
  };
}
