<?php
/**
 * The check of PHP in the uploads.
 *
 * @package PicketBridge
 */

/**
 * Uploads PHP files that print a product, and looks whether the web server runs them.
 */
final class Picket_Bridge_Php_Uploads_Check extends Picket_Bridge_Check {

	const EXTENSIONS = array( 'php', 'phtml', 'phar', 'php.jpg' );

	/**
	 * Returns what the answers mean: of a text file, and of each PHP file.
	 *
	 * @param array  $plain   The answer of the text file.
	 * @param array  $answers The answers of the PHP files by extension.
	 * @param string $product What they print if they run.
	 * @return array{status: string, evidence: string}
	 */
	public static function judge( array $plain, array $answers, string $product ): array {
		foreach ( $answers as $extension => $answer ) {
			if ( false !== strpos( $answer['body'], $product ) ) {
				return self::result( 'failing', "a .$extension file in the uploads runs" );
			}
			if ( 200 === $answer['status'] && false !== strpos( $answer['body'], '<?php' ) && 'php.jpg' !== $extension ) {
				return self::result( 'failing', "a .$extension file in the uploads does not run, but everybody can read its source" );
			}
		}
		if ( 200 !== $plain['status'] || 'plain' !== trim( $plain['body'] ) ) {
			return self::result( 'unknown', "a text file in the uploads answers with HTTP {$plain['status']}" );
		}
		$statuses = implode( ', ', array_unique( array_column( $answers, 'status' ) ) );
		$refused  = array_filter(
			$answers,
			static function ( array $answer ): bool {
				return in_array( $answer['status'], array( 403, 404, 410 ), true ) || false !== strpos( $answer['body'], '<?php' );
			}
		);
		return count( $answers ) === count( $refused )
			? self::result( 'passing', "no PHP file in the uploads runs (HTTP $statuses)" )
			: self::result( 'unknown', "PHP files in the uploads answer with HTTP $statuses" );
	}

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		$one   = random_int( 100000, 999999 );
		$two   = random_int( 100000, 999999 );
		$files = array();
		foreach ( self::EXTENSIONS as $extension ) {
			$files[ "run.$extension" ] = "<?php echo $one * $two;\n";
		}
		// The last one, because it shows that all of them were there.
		$files['plain.txt'] = 'plain';
		$answers = Picket_Bridge_Canary::with(
			$files,
			static function ( string $url ) use ( $files ) {
				$answers = array();
				foreach ( array_keys( $files ) as $name ) {
					$answers[ $name ] = Picket_Bridge_Self_Request::once( 'GET', "$url/$name" );
					if ( is_wp_error( $answers[ $name ] ) ) {
						return $answers[ $name ];
					}
				}
				return $answers;
			}
		);
		if ( is_wp_error( $answers ) ) {
			return self::unanswered( 'a file in the uploads', $answers );
		}
		$plain = $answers['plain.txt'];
		unset( $answers['plain.txt'] );
		return self::judge( $plain, array_combine( self::EXTENSIONS, array_values( $answers ) ), (string) ( $one * $two ) );
	}

	/**
	 * Returns the directives for the uploads.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		$lines = static function (): array {
			return array(
				'<FilesMatch "(?i)\.(?:php[0-9]*|pht|phtml|phar|phps)(?:\.|$)">',
				'Require all denied',
				'</FilesMatch>',
			);
		};
		return array( new Picket_Bridge_Htaccess_Block( 'block-php-uploads', wp_get_upload_dir()['basedir'], $lines ) );
	}
}
