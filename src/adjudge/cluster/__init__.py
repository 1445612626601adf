"""The same work on Apache Spark, for what one machine cannot hold: no algorithm is here, only its way there."""
