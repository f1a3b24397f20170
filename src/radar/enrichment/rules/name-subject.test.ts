import { expect, test } from 'vitest';
import { companyOf, nameSubject } from './name-subject.ts';

test.each([
  ['Today we are releasing Halyard 5.2', 'Orrinfell is releasing Halyard 5.2'],
  ['We built Marlstone 7.5 to answer faster', 'Orrinfell built Marlstone 7.5 to answer faster'],
  ['We have lowered the price of our tools', 'Orrinfell has lowered the price of its tools'],
  ['Our Series D round', 'Orrinfell’s Series D round'],
  ['Welcoming Tinsmith', 'Orrinfell welcomes Tinsmith'],
  ['Introducing Halyard 5.2', 'Orrinfell introduces Halyard 5.2'],
  ['今天我们发布了桅索 5.2', 'Orrinfell发布了桅索 5.2'],
  ['Halyard 5.2', 'Orrinfell: Halyard 5.2'],
  ['How Halyard keeps track of six speakers', 'How Halyard keeps track of six speakers'],
  ['Orrinfell opens an office in Quillon Falls', 'Orrinfell opens an office in Quillon Falls'],
])('names the company in a first party’s title: %s', (title, expected) => {
  expect(nameSubject({ title, sourceName: 'Orrinfell Newsroom', isFirstParty: true })).toBe(
    expected,
  );
});

test('leaves the titles of other publishers unchanged', () => {
  const title = 'Our Series D round';
  expect(nameSubject({ title, sourceName: 'Meridian Wire', isFirstParty: false })).toBe(title);
});

test.each([
  ['Orrinfell Newsroom', 'Orrinfell'],
  ['Tessarune Notes', 'Tessarune'],
  ['澄砚动态', '澄砚'],
  ['NVIDIA Blog', 'NVIDIA'],
  ['OpenAI', 'OpenAI'],
])('takes the company’s name from the source: %s', (name, company) => {
  expect(companyOf(name)).toBe(company);
});
