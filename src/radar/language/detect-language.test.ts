import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectLanguage } from './detect-language.ts';

test.each([
  ['OpenAI 发布 GPT-9 Turbo', 'zh'],
  ['英伟达', 'zh'],
  ['OpenAI、新モデルを発表', 'ja'],
  ['生成AIの未来', 'ja'],
  ['오픈AI, 새 모델 공개', 'ko'],
  ['Новая модель для кода', 'ru'],
  ['نموذج جديد للغة العربية', 'ar'],
  ['מודל חדש לשפה העברית', 'he'],
  ['โมเดลภาษาใหม่', 'th'],
  ['विद्यालयों में नया भाषा मॉडल आज से उपलब्ध है', 'hi'],
])('the script tells: %s', (text, language) => {
  expect(detectLanguage(text, null)).toBe(language);
});

test.each([
  ['Der Bundestag hat am Freitag das neue Gesetz über künstliche Intelligenz beschlossen', 'de'],
  ["La Commission européenne enquête sur les puces et l'énergie des centres de données", 'fr'],
  ['La inteligencia artificial llega a las aulas de todo el país este otoño', 'es'],
  ['The committee has published its report on the use of machines in schools', 'en'],
])('a whole sentence tells its Latin language, also against the claim: %s', (text, language) => {
  expect(detectLanguage(text, null)).toBe(language);
  expect(detectLanguage(text, language === 'en' ? 'de' : 'en')).toBe(language);
});

test('a claim is believed where the text could be in it', () => {
  expect(detectLanguage('Gemini 9 Pro', 'de-AT')).toBe('de');
  expect(detectLanguage('Nvidia', 'pt_BR')).toBe('pt');
});

test('a claim is not believed when the script denies it', () => {
  expect(detectLanguage('深度求索发布新一代推理模型', 'en')).toBe('zh');
  expect(detectLanguage('A new model that answers in one second', 'zh-CN')).toBe('en');
});

test('without letters the claim stands, and without a claim English', () => {
  expect(detectLanguage('🔥🔥🔥 100', 'zh-CN')).toBe('zh');
  expect(detectLanguage('', null)).toBe('en');
  expect(detectLanguage('42', 'not a language!')).toBe('en');
});

test('any text has a language, and the same one each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string()), (text, claim) => {
      const language = detectLanguage(text, claim);
      expect(language).toMatch(/^[a-z]{2,3}$/);
      expect(detectLanguage(text, claim)).toBe(language);
    }),
  );
});
