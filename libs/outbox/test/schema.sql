\ir ../sql/rings.sql
\ir ../sql/outbox.sql
\ir ../sql/consumer.sql
