import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { applySettings } from './apply-settings.ts';

const projectFolder = join(import.meta.dirname, '../..');
const folderOf = (json: object, editorial?: '.' | 'general') => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'radar.config.json');
  writeFileSync(path, JSON.stringify(json));
  const config = readConfig({}, { RADAR_CONFIG: path });
  return applySettings(config, editorial === undefined ? {} : { editorial }).file.editorial;
};

test('the stored rules are a folder of the project, and the file takes precedence', () => {
  expect(folderOf({})).toBe(join(projectFolder, 'editorial'));
  expect(folderOf({}, '.')).toBe(join(projectFolder, 'editorial'));
  expect(folderOf({}, 'general')).toBe(join(projectFolder, 'editorial/general'));
  const law = join(projectFolder, 'examples/law');
  expect(folderOf({ editorial: 'examples/law' }, 'general')).toBe(law);
});
