// Without the fonts that the theme brings: those of the reader's system.
import theme from 'vitepress/theme-without-fonts';
import './theme.css';

export default theme;
