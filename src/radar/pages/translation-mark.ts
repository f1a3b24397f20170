// The mark of a title that a model wrote in another language than the original title. Rules do not
// translate, so another language of their items comes from an operator's correction.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { guessLanguage } from '../../kernel/html/text-language.ts';
import type { PublicItem } from '../publication/item.ts';
import type { ReaderMessages } from './messages/reader.ts';

type TitledItem = Pick<PublicItem, 'title' | 'originalTitle' | 'language' | 'summaryBy'>;

const isInOtherLanguage = ({ title, originalTitle }: TitledItem): boolean =>
  originalTitle !== null && guessLanguage(originalTitle) !== guessLanguage(title);

/** The `lang` of an item's title and summary. */
export const writtenLanguage = (item: TitledItem): string =>
  isInOtherLanguage(item) ? guessLanguage(item.title) : item.language;

/** The mark for a line of metadata. `item` is null when the read model lacks it. */
export const renderTranslationMark = (item: TitledItem | null, messages: ReaderMessages): Html =>
  item !== null && item.summaryBy === 'model' && isInOtherLanguage(item)
    ? html`<span>${messages.translated}</span>`
    : nothing;
