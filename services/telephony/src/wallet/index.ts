/** The wallet, its ledger and its top-ups. */
export { confirmTopUp, listTopUpPage, topUpWallet } from './top-ups';
export { getWallet, listLedgerPage } from './wallet';
