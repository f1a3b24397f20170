// Generated events, each with several reports in other words. There are enough of them to occupy
// several workers, and they differ enough for any order of arrival.
import type { TestReport } from './test-stories.ts';

const actions: readonly (readonly [string, string])[] = [
  ['Vantoro', 'recalls electric ferries after a battery fire'],
  ['Kelmira', 'opens a glass museum in Bergen'],
  ['Ostbrook', 'sues its former chairman over stolen patents'],
  ['Dunveil', 'raises $41 million for underground greenhouses'],
  ['Harpsund', 'wins the Nordic chess league for the ninth time'],
  ['Lindqua', 'discovers a cave with Roman coins near Trier'],
  ['Morvane', 'closes three paper mills in Finland'],
  ['Tessaly', 'launches a telescope that folds like a flower'],
  ['Quillon', 'bans plastic cutlery from its airlines'],
  ['Farrow', 'appoints Ines Calder as chief surgeon'],
  ['Belcrest', 'bought by Japanese brewer for 2.3 billion yen'],
  ['Ixworth', 'floods after the dam at Pell breaks'],
  ['Nordhall', 'strike halts tram drivers for six days'],
  ['Pellam', 'votes to lower school age to five'],
  ['Ravencroft', 'orchestra cancels its tour of Brazil'],
  ['Sundry', 'fined over false honey labels'],
  ['Tarnwick', 'lighthouse sold to a marine biologist'],
  ['Ulverton', 'vaccine against tick fever passes final trial'],
  ['Wexcombe', 'bridge reopens after eleven years of repair'],
  ['Yarrowby', 'breeds a potato that needs no irrigation'],
];
const reportForms = [
  (company: string, action: string) => `${company} ${action}`,
  (company: string, action: string) => `It is official: ${company} ${action}`,
  (company: string, action: string) => `${company} ${action}, officials confirm`,
] as const;

/** `count` events (at most 20) with three reports each; source c copies every fifth report. */
export function inventedEvents(
  count: number,
  at: (index: number) => number,
): readonly TestReport[] {
  const reports: TestReport[] = [];
  reportForms.forEach((write, formIndex) => {
    for (let event = 0; event < count; event += 1) {
      const [company = '', action = ''] = actions[event] ?? [];
      const id = `e${String(event).padStart(2, '0')}-${formIndex}`;
      const title = write(company, action);
      const text = `${title}. It became known on Tuesday that ${company} ${action}.`;
      const source = formIndex % 2 === 0 ? 'a' : 'b';
      reports.push({ id, title, text, at: at(reports.length), source });
      if (reports.length % 5 === 0) {
        reports.push({
          id: `${id}-copy`,
          title,
          text,
          at: at(reports.length),
          copyOf: id,
          source: 'c',
        });
      }
    }
  });
  return reports;
}

/** The lists of items that belong to the same event. The lists and their items are sorted. */
export function eventsOf(reports: readonly TestReport[]): readonly (readonly string[])[] {
  const events = Map.groupBy(reports, ({ id }) => id.slice(0, 3));
  return [...events.values()].map((all) => all.map(({ id }) => id).sort()).sort();
}
