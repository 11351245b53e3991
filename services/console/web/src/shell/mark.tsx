import { t } from '../text/text';

export function Mark() {
  return (
    <span className="mark">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="#5b5bd6" />
        <g fill="#fff">
          <rect x="7" y="13" width="2.6" height="6" rx="1.3" />
          <rect x="11.6" y="9" width="2.6" height="14" rx="1.3" />
          <rect x="16.2" y="11.5" width="2.6" height="9" rx="1.3" />
          <rect x="20.8" y="7" width="2.6" height="18" rx="1.3" fill="#ffc48a" />
        </g>
      </svg>
      <b>{t('app.name')}</b>
    </span>
  );
}
