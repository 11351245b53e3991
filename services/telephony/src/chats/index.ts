/** Chats: calls without sound, written turn by turn. */
export { createChat } from './create-chat';
export { endChat, getChat, takeChatTurn } from './converse';
