/** Chats: calls without audio, written turn by turn. */
export { createChat } from './create-chat';
export { endChat, getChat, takeChatTurn } from './converse';
